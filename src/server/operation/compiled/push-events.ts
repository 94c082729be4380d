import { type FollowSource, isLater, type Taken } from '../../../lib/follow.ts';
import { type JsonText, lengthOfJson } from '../../../lib/json-pieces.ts';
import { nextMessage, nextPrefix } from '../../sending/next-message.ts';
import type { SocketWriter } from '../../sending/socket-writer.ts';
import type { PreparedEvent } from '../event-preparation.ts';
import type { ResultErrors } from '../report-operation.ts';
import { type EventWriter, maxWrittenChars } from './event-writers.ts';

/** The socket that the events of one subscription are pushed to. */
export type EventSocket = Pick<
  SocketWriter,
  'waitForTurn' | 'releaseTurn' | 'waitToPrepare' | 'endPreparation' | 'write'
>;

export interface PushOptions {
  readonly source: FollowSource<unknown>;
  readonly socket: EventSocket;
  /** The operation id on the socket. */
  readonly id: string;
  readonly write: EventWriter | undefined;
  /** Prepares the events that `write` cannot write. Resolves to undefined if there is nothing to send. */
  readonly prepare: (event: unknown) => Promise<PreparedEvent | undefined>;
  readonly onResult?: ((result: ResultErrors) => void) | undefined;
  /** Called with the number of events that were prepared. */
  readonly onEnd: (executed: number) => void;
  readonly toError: (error: unknown) => unknown;
}

type Done = IteratorReturnResult<undefined>;

/**
 * Sends the events of a source as `next` messages, one at a time. When the source wakes it, it takes the socket's turn, takes
 * everything new as one event and sends it, in one synchronous call. An event that must be prepared in steps waits for the
 * socket before it is taken. While a message is being written, or the socket is behind, nothing is taken, so that the source
 * coalesces. The iterator yields nothing: `next` settles when the source ends or fails, and `return` stops at once. A class,
 * because every waiting subscription holds one: as closures its methods would take a kilobyte.
 */
export class PushedEvents implements AsyncIterableIterator<never, undefined> {
  readonly #options: PushOptions;
  readonly #prefix: string;
  #state: 'new' | 'ready' | 'busy' | 'ended' = 'new';
  /** Whether the source has something new only after it wakes this. */
  #isLatest = false;
  /** Whether the last event was too long to be written in one step, so that the next one probably is. */
  #isLong = false;
  #executed = 0;
  #finished: PromiseWithResolvers<Done> | undefined;
  #close: (() => void) | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#prefix = nextPrefix(options.id);
  }

  /** Whether this process produces the events. */
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
    if (this.#state !== 'ready') return;
    const { socket, write } = this.#options;
    if (write && !this.#isLong) this.#waitFor(socket.waitForTurn(), false, () => this.#takeOne(write));
    else this.#prepareWith(() => this.#take());
  }

  /** Calls back when the socket is ready, if the subscription and the socket are still open. */
  #waitFor(ready: Promise<boolean> | undefined, isPreparation: boolean, use: () => void): void {
    this.#state = 'busy';
    if (ready) void ready.then((isOpen) => isOpen && this.#use(isPreparation, use));
    else this.#use(isPreparation, use);
  }

  #use(isPreparation: boolean, use: () => void): void {
    const { socket } = this.#options;
    let error: unknown;
    try {
      if (this.#state !== 'ended') return use();
    } catch (thrown) {
      error = thrown;
    }
    if (isPreparation) socket.endPreparation(0);
    else socket.releaseTurn();
    if (this.#state !== 'ended') this.#fail(error);
  }

  #takeOne(write: EventWriter): void {
    const { socket } = this.#options;
    const taken = this.#take();
    const value = taken?.value;
    const text = taken && !isLater(value) ? write(value) : undefined;
    if (text !== undefined) return this.#send(`{"data":${text}}`);
    // Other subscriptions of the socket send meanwhile.
    socket.releaseTurn();
    if (taken) this.#prepareWith(() => taken);
  }

  /** Undefined if there is nothing to send now. */
  #take(): Taken<unknown> | undefined {
    const taken = this.#options.source.take();
    if (taken === 'end') this.#stop();
    if (taken === 'wait') this.#state = 'ready';
    if (typeof taken === 'string') return undefined;
    this.#isLatest = taken.isLatest ?? false;
    return taken;
  }

  #prepareWith(take: () => Taken<unknown> | undefined): void {
    const { socket } = this.#options;
    const end = (): void => void socket.endPreparation(0);
    this.#waitFor(socket.waitToPrepare(), true, () => {
      const taken = take();
      if (!taken) return end();
      this.#prepare(taken).then(
        (sent) => {
          if (!sent) this.#onWritten();
        },
        (error: unknown) => {
          end();
          this.#fail(error);
        },
      );
    });
  }

  /** Resolves to false if there was nothing to send. */
  async #prepare(taken: Taken<unknown>): Promise<boolean> {
    const { socket, prepare, onResult } = this.#options;
    const prepared = await prepare(taken.value);
    if (!prepared) {
      socket.endPreparation(0);
      return false;
    }
    this.#executed += 1;
    const { text, errors } = prepared;
    const length = lengthOfJson(text);
    this.#isLong = length > maxWrittenChars;
    const maySend = socket.endPreparation(length);
    if (this.#state === 'ended') return true;
    if (!maySend) {
      this.#prepareWith(() => taken);
      return true;
    }
    onResult?.({ errors });
    this.#send(text);
    return true;
  }

  #send(payload: JsonText): void {
    this.#state = 'busy';
    // When the socket is closed, the transport returns the iterator.
    this.#options.socket.write(nextMessage(this.#prefix, payload), this.#onWritten);
  }

  #stop(): void {
    if (this.#end()) this.#finished?.resolve(done());
  }

  #fail(error: unknown): void {
    if (this.#state === 'ended') return;
    const shown = this.#options.toError(error);
    if (this.#end()) this.#finished?.reject(shown);
  }

  #end(): boolean {
    if (this.#state === 'ended') return false;
    this.#state = 'ended';
    this.#close?.();
    this.#options.onEnd(this.#executed);
    return true;
  }
}

function done(): Done {
  return { done: true, value: undefined };
}
