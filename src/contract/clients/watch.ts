import { setImmediate } from 'node:timers/promises';
import { beforeDeadline } from './deadline.ts';
import { applyEvent, type Held, isDelta, isEnd, isSnapshot, nothing, type StreamEvent } from './events.ts';
import { createInbox } from './inbox.ts';

/** A subscription over any transport. */
export interface Opened {
  readonly results: AsyncIterableIterator<{ readonly data?: unknown; readonly errors?: unknown }>;
  /** Closes the connection without unsubscribing. */
  readonly disconnect: () => void;
  /** Stops or continues to read from the connection. Only for a WebSocket. */
  readonly setReading: (isReading: boolean) => void;
}

export interface ReadOptions {
  /** Of the subscription, for messages. */
  readonly name: string;
  /** Whether the client repeats the operation after a lost connection. @default false */
  readonly isHealing?: boolean | undefined;
  /** What the client holds already, if it subscribes with `after`. */
  readonly held?: Held | undefined;
}

/**
 * One subscription, read by the documented rules. Every event that breaks a rule fails the watch. Every wait rejects after a
 * minute, with what the client holds.
 */
export interface Watch {
  readonly events: readonly StreamEvent[];
  /** What the client holds after all events. */
  readonly held: Held;
  /** Resolves with the event at this index. Rejects when the watch ends without it. */
  at(index: number): Promise<StreamEvent>;
  /** Resolves when the client holds this sequence. */
  untilSequence(sequence: number): Promise<void>;
  /** Resolves with all events when the subscription completes. Rejects when it fails or an event breaks a rule. */
  readonly ended: Promise<readonly StreamEvent[]>;
  /** Unsubscribes. */
  leave(): Promise<void>;
  /** Closes the connection without unsubscribing. */
  disconnect(): void;
  /** Stops or continues to read from the connection. Only for a WebSocket. */
  setReading(isReading: boolean): void;
}

export function readWatch({ results, disconnect, setReading }: Opened, options: ReadOptions): Watch {
  const { name, isHealing = false } = options;
  const events = createInbox<StreamEvent>();
  let held = options.held ?? nothing;
  const receive = (event: StreamEvent): void => {
    const last = events.all.at(-1);
    if (last && isEnd(last) && !(isHealing && (isSnapshot(event) || isEnd(event))))
      throw new Error(`${event.__typename} after the end`);
    if (!last && isDelta(event) && held === nothing) throw new Error('the first event is a delta');
    if (last && isSnapshot(event) && !isHealing) throw new Error('a second snapshot');
    held = applyEvent(held, event);
    events.push(event);
  };
  const read = async (): Promise<readonly StreamEvent[]> => {
    for await (const { data, errors } of results) {
      const [event] = Object.values((data ?? {}) as Record<string, StreamEvent | null>); // As selected.
      if (errors || !event) throw new Error(JSON.stringify(errors ?? data));
      receive(event);
    }
    return events.all;
  };
  const ended = read();
  ended.catch(() => {});
  const orEnd = async (waiting: Promise<unknown>): Promise<void> => {
    let isReached = false;
    // A wait whose condition the last event has met resolves first.
    await Promise.race([waiting.then(() => (isReached = true)), ended.then(() => setImmediate())]);
    if (!isReached) throw new Error(`the watch ended after ${events.all.length} events`);
  };
  const describe = (awaited: string) => (): string =>
    `waits for ${awaited}, ${name} holds sequence ${held.sequence} after ${events.all.length} events`;
  return {
    events: events.all,
    get held() {
      return held;
    },
    async at(index) {
      const event = events.at(index);
      await beforeDeadline(orEnd(event), describe(`event ${index}`));
      return event;
    },
    async untilSequence(sequence) {
      const reached = events.when(() => held.sequence >= sequence);
      await beforeDeadline(orEnd(reached), describe(`sequence ${sequence}`));
    },
    get ended() {
      return beforeDeadline(ended, describe('its end'));
    },
    async leave() {
      await results.return?.();
    },
    disconnect,
    setReading,
  };
}
