import { type EventSocket, PushedEvents } from '../../src/server/operation/compiled/push-events.ts';
import { type Feed } from '../../src/lib/follow.ts';

/**
 * The events of a feed as a socket receives them that writes one message per `next`. The socket grants turns immediately or
 * later, and events are written or executed, at random. @throws if the rules of turns are broken
 */
export function readPushed<Event>(feed: Feed<Event>, random: () => number): AsyncIterator<Event, undefined> {
  let pushed: AsyncIterableIterator<never, undefined> | undefined;
  let received: Event | undefined;
  let onReceived = (): void => {};
  let onWritten: (() => void) | undefined;
  let hasTurn = false;
  const takeTurn = (): void => {
    if (hasTurn) throw new Error('two turns at a time');
    hasTurn = true;
  };
  const endTurn = (): void => {
    if (!hasTurn) throw new Error('no turn');
    hasTurn = false;
  };
  const socket: EventSocket = {
    waitForTurn() {
      if (random() < 0.7) {
        takeTurn();
        return undefined;
      }
      return new Promise((resolve) =>
        setImmediate(() => {
          takeTurn();
          resolve(true);
        }),
      );
    },
    releaseTurn: endTurn,
    waitToPrepare() {
      if (random() < 0.7) return undefined;
      return new Promise((resolve) => setImmediate(() => resolve(true)));
    },
    endPreparation: () => random() < 0.9,
    write(_text, callBack) {
      hasTurn = false;
      if (onWritten) throw new Error('two messages at a time');
      onWritten = callBack;
      onReceived();
      return true;
    },
  };
  return {
    async next() {
      const arrival = new Promise<void>((resolve) => (onReceived = resolve));
      const callBack = onWritten;
      onWritten = undefined;
      callBack?.();
      pushed ??= new PushedEvents({
        source: feed.source,
        socket,
        id: 'id',
        write(event) {
          received = event as Event; // The feed's own.
          return random() < 0.7 ? '{}' : undefined;
        },
        async prepare(event) {
          received = event as Event; // The feed's own.
          return { text: '{}', errors: undefined };
        },
        onEnd() {},
        toError: (error) => error,
      });
      const ended = pushed.next();
      const end = await Promise.race([arrival, ended]);
      return end ?? { done: false, value: received as Event };
    },
    async return() {
      await (pushed ? pushed.return?.() : feed.return?.());
      return { done: true, value: undefined };
    },
  };
}
