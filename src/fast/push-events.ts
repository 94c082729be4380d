import type { ExecutionResult } from 'graphql';
import type { FollowSource } from '../lib/follow.ts';
import type { EventWriter } from './event-writers.ts';

/** The socket that the events of one subscription are pushed to. */
export interface EventSocket {
  /** Undefined if the socket may send now; otherwise resolves when it may, or to false if it closed. Takes the turn. */
  waitForTurn(): Promise<boolean> | undefined;
  /** Ends a turn without a message. */
  releaseTurn(): void;
  /** Ends the turn. Calls back when the message is written. Returns false, without a call, if the socket is closed. */
  write(text: string, onWritten: () => void): boolean;
}

export interface PushOptions {
  readonly source: FollowSource<unknown>;
  readonly socket: EventSocket;
  /** The operation id on the socket. */
  readonly id: string;
  readonly write: EventWriter | undefined;
  /** Executes the events that `write` cannot. */
  readonly execute: (event: unknown) => ExecutionResult | Promise<ExecutionResult>;
  readonly onResult?: ((result: ExecutionResult) => void) | undefined;
  /** Called with the number of events that were executed. */
  readonly onEnd?: ((executed: number) => void) | undefined;
  readonly toError: (error: unknown) => unknown;
}

export interface PushedEvents extends AsyncIterableIterator<never, undefined> {
  readonly isPushed: true;
}

/**
 * Sends the events of a source as `next` messages, one at a time. When the source wakes it, it takes the socket's turn, takes
 * everything new as one event and sends it, in one synchronous call. While a message is being written, or the socket is
 * behind, it takes nothing, so that the source coalesces. The iterator yields nothing: `next` settles when the source ends or
 * fails, and `return` stops at once.
 */
export function pushEvents(options: PushOptions): PushedEvents {
  const { source, socket, write, toError } = options;
  const prefix = `{"id":${JSON.stringify(options.id)},"type":"next","payload":`;
  const done = { done: true, value: undefined } as const;
  const finished = Promise.withResolvers<typeof done>();
  let state: 'new' | 'ready' | 'busy' | 'ended' = 'new';
  let executed = 0;
  let close: (() => void) | undefined;

  const end = (): boolean => {
    if (state === 'ended') return false;
    state = 'ended';
    close?.();
    options.onEnd?.(executed);
    return true;
  };
  const stop = (): void => {
    if (end()) finished.resolve(done);
  };
  const fail = (error: unknown): void => {
    if (end()) finished.reject(toError(error));
  };
  const onWritten = (): void => {
    if (state === 'ended') return;
    state = 'ready';
    pull();
  };
  const send = (payload: string): void => {
    state = 'busy';
    // When the socket is closed, the transport returns the iterator.
    socket.write(`${prefix}${payload}}`, onWritten);
  };
  const sendResult = (result: ExecutionResult): void => {
    options.onResult?.(result);
    const { errors, ...rest } = result;
    send(JSON.stringify({ ...rest, ...(errors && { errors: errors.map((error) => error.toJSON()) }) }));
  };
  /** Calls back with the turn, if the subscription and the socket are still open. */
  const withTurn = (use: () => void): void => {
    const run = (isOpen: boolean): void => {
      if (!isOpen) return;
      if (state === 'ended') {
        socket.releaseTurn();
        return;
      }
      try {
        use();
      } catch (error) {
        socket.releaseTurn();
        fail(error);
      }
    };
    if (state === 'ended') return;
    state = 'busy';
    const turn = socket.waitForTurn();
    if (turn) void turn.then(run);
    else run(true);
  };
  const pull = (): void => {
    if (state === 'ready') withTurn(takeOne);
  };
  const takeOne = (): void => {
    const taken = source.take();
    if (taken === 'wait' || taken === 'end') {
      socket.releaseTurn();
      if (taken === 'end') stop();
      else state = 'ready';
      return;
    }
    const text = write?.(taken.value);
    if (text !== undefined) {
      send(`{"data":${text}}`);
      return;
    }
    executed += 1;
    const result = options.execute(taken.value);
    if (!(result instanceof Promise)) {
      sendResult(result);
      return;
    }
    // Other subscriptions of the socket send meanwhile.
    socket.releaseTurn();
    result.then((value) => withTurn(() => sendResult(value)), fail);
  };

  const iterator: PushedEvents = {
    isPushed: true,
    [Symbol.asyncIterator]: () => iterator,
    next() {
      if (state === 'new') {
        state = 'ready';
        try {
          close = source.open(pull);
        } catch (error) {
          fail(error);
        }
        pull();
      }
      return finished.promise;
    },
    async return() {
      stop();
      return done;
    },
  };
  return iterator;
}
