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
  /** Whether this process produces the events. */
  readonly isOwn: boolean;
}

/**
 * Sends the events of a source as `next` messages, one at a time. When the source wakes it, it takes the socket's turn, takes
 * everything new as one event and sends it, in one synchronous call. While a message is being written, or the socket is
 * behind, it takes nothing, so that the source coalesces. The iterator yields nothing: `next` settles when the source ends or
 * fails, and `return` stops at once.
 */
export function pushEvents(options: PushOptions): PushedEvents {
  return new Push(options);
}

type Done = IteratorReturnResult<undefined>;

/** A class, because every waiting subscription holds one: as closures its methods would take a kilobyte. */
class Push implements PushedEvents {
  readonly isPushed = true;
  readonly #options: PushOptions;
  readonly #prefix: string;
  #state: 'new' | 'ready' | 'busy' | 'ended' = 'new';
  /** Whether the source has something new only after it wakes this. */
  #isLatest = false;
  #executed = 0;
  #finished: PromiseWithResolvers<Done> | undefined;
  #close: (() => void) | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#prefix = `{"id":${JSON.stringify(options.id)},"type":"next","payload":`;
  }

  get isOwn(): boolean {
    return this.#options.source.isOwn ?? false;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Done> {
    if (this.#state === 'ended') return Promise.resolve(done());
    this.#finished ??= Promise.withResolvers<Done>();
    const { promise } = this.#finished;
    if (this.#state === 'new') {
      this.#state = 'ready';
      try {
        this.#close = this.#options.source.open(() => {
          this.#isLatest = false;
          this.#pull();
        });
      } catch (error) {
        this.#fail(error);
      }
      this.#pull();
    }
    return promise;
  }

  async return(): Promise<Done> {
    this.#stop();
    return done();
  }

  readonly #onWritten = (): void => {
    if (this.#state === 'ended') return;
    this.#state = 'ready';
    if (!this.#isLatest) this.#pull();
  };

  #pull(): void {
    if (this.#state === 'ready') this.#withTurn(() => this.#takeOne());
  }

  /** Calls back with the turn, if the subscription and the socket are still open. */
  #withTurn(use: () => void): void {
    if (this.#state === 'ended') return;
    this.#state = 'busy';
    const turn = this.#options.socket.waitForTurn();
    if (turn) void turn.then((isOpen) => isOpen && this.#use(use));
    else this.#use(use);
  }

  #use(use: () => void): void {
    const { socket } = this.#options;
    if (this.#state === 'ended') {
      socket.releaseTurn();
      return;
    }
    try {
      use();
    } catch (error) {
      socket.releaseTurn();
      this.#fail(error);
    }
  }

  #takeOne(): void {
    const { source, socket, write, execute } = this.#options;
    const taken = source.take();
    if (taken === 'wait' || taken === 'end') {
      socket.releaseTurn();
      if (taken === 'end') this.#stop();
      else this.#state = 'ready';
      return;
    }
    this.#isLatest = taken.isLatest ?? false;
    const text = write?.(taken.value);
    if (text !== undefined) {
      this.#send(`{"data":${text}}`);
      return;
    }
    this.#executed += 1;
    const result = execute(taken.value);
    if (!(result instanceof Promise)) {
      this.#sendResult(result);
      return;
    }
    // Other subscriptions of the socket send meanwhile.
    socket.releaseTurn();
    result.then(
      (value) => this.#withTurn(() => this.#sendResult(value)),
      (error: unknown) => this.#fail(error),
    );
  }

  #sendResult(result: ExecutionResult): void {
    this.#options.onResult?.(result);
    const { errors, ...rest } = result;
    this.#send(JSON.stringify({ ...rest, ...(errors && { errors: errors.map((error) => error.toJSON()) }) }));
  }

  #send(payload: string): void {
    this.#state = 'busy';
    // When the socket is closed, the transport returns the iterator.
    this.#options.socket.write(`${this.#prefix}${payload}}`, this.#onWritten);
  }

  #stop(): void {
    if (this.#end()) this.#finished?.resolve(done());
  }

  #fail(error: unknown): void {
    if (this.#end()) this.#finished?.reject(this.#options.toError(error));
  }

  #end(): boolean {
    if (this.#state === 'ended') return false;
    this.#state = 'ended';
    this.#close?.();
    this.#options.onEnd?.(this.#executed);
    return true;
  }
}

function done(): Done {
  return { done: true, value: undefined };
}
