import type { DocumentNode } from 'graphql';
import { RateLimitError } from '../../errors.ts';
import type { AcceptedCallers } from '../../gateway/accepted-callers.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Group, noLimits } from '../../lib/fairness/fair-queue.ts';
import { createSharedWaits, type SharedWait } from '../../lib/fairness/shared-waits.ts';
import { createSlice, type EventLoop, sliceMs, systemEventLoop } from '../../lib/fairness/slice.ts';
import { Turns } from '../../lib/fairness/turns.ts';
import {
  accountOrAddress,
  type AdmissionLimits,
  type OperationSource,
  pathOf,
  pathOfUnidentified,
} from './admission-path.ts';
import { createHeldDocuments } from './held-documents.ts';
import type { OwnerGroups } from './owner-groups.ts';
import type { TokenBuckets } from './token-buckets.ts';

/** Decides which operations run, in which order, and which are refused. All transports share it. */
export interface Admission {
  /**
   * Call before an operation is parsed. Nothing is claimed or sent before.
   * @throws RateLimitError if too many operations wait
   */
  enter(source: OperationSource): Permit;
  /**
   * For what identifies the caller of an operation, such as the keys of tokens. Meanwhile, it is a waiting operation of its address.
   * @throws RateLimitError if too many operations wait
   */
  waitOf(source: Omit<OperationSource, 'caller'>): SharedWait;
  /** The same for a WebSocket. Their number has other limits. */
  waitOfSocket(address: string): SharedWait;
}

export interface Permit {
  /** Resolves to true when the operation may run, or to false if it is released before. Undefined if it may run now. */
  readonly admitted: Promise<boolean> | undefined;
  /** The setting whose limit was reached when the operation began to wait. Absent if it waited for the event loop. */
  readonly waitedFor?: string | undefined;
  /**
   * Counts the operation as an open subscription, which holds its document, and so many characters of variables. Call before
   * it subscribes.
   * @throws RateLimitError if too many subscriptions are open, or if they hold too much
   */
  reserveOpen(document: DocumentNode, variableChars?: number): void;
  /** Counts the size of an answer if the gateway has not accepted the caller. */
  countAnswer(measure: () => number): void;
  /** The subscription is open and no longer counts as running. */
  settle(): void;
  /** Ends the operation, or its wait. Calls after the first have no effect. */
  release(): void;
}

export interface AdmissionOptions {
  readonly limits: AdmissionLimits;
  readonly acceptedCallers: Pick<AcceptedCallers, 'has'>;
  /** Operations of callers that the gateway has not accepted. */
  readonly anonymousRate?: TokenBuckets;
  /** Bytes of the answers to such callers. */
  readonly anonymousAnswers?: TokenBuckets;
  /** Gets the group of each caller, because the reads of its operation take turns as well. */
  readonly ownerGroups?: Pick<OwnerGroups, 'set'> | undefined;
  readonly clock: Clock;
  /** Called with the time that an operation waited before it started. */
  readonly onWaited?: (waitedMs: number) => void;
  readonly loop?: EventLoop;
}

/** An operation that has run for this long waits for the gateway. It then counts as open. */
export const longRunningMs = 1000;

/** Advice for a full queue, which empties within moments. */
const retryAfterSeconds = 1;

export function createAdmission(options: AdmissionOptions): Admission {
  return new Queue(options);
}

class Queue implements Admission {
  readonly #options: AdmissionOptions;
  readonly #turns: Turns<Entry>;
  readonly #sharedWaits: ReturnType<typeof createSharedWaits>;
  readonly #heldDocuments = createHeldDocuments();
  /** Running operations, the longest-running first. */
  readonly #running = new Set<Entry>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: AdmissionOptions) {
    const { loop = systemEventLoop } = options;
    this.#options = options;
    this.#sharedWaits = createSharedWaits({ lengthMs: sliceMs.operations, loop, refuse: tooManyWaiting });
    this.#turns = new Turns({
      createPace: (onNext) => createSlice({ lengthMs: sliceMs.operations, loop, onNext }),
      start: (entry) => {
        this.#admit(entry);
        // Wait for the part of the operation that runs without I/O, to measure it.
        loop.afterReactions(() => this.#turns.end());
      },
    });
  }

  enter(source: OperationSource): Permit {
    const { acceptedCallers, ownerGroups, limits } = this.#options;
    this.#countLongRunning();
    const wasAccepted = this.isAccepted(source);
    if (!wasAccepted) this.#takeAnonymous(source.address);
    const { caller } = source;
    if (caller) ownerGroups?.set(caller.owner, accountOrAddress(source, acceptedCallers));
    const { queue } = this.#turns;
    const group = queue.locate(pathOf(source, limits, acceptedCallers));
    const full = queue.findFull(group, 'running');
    const entry = new Entry(this, { source, wasAccepted, waitedFor: full?.limits.settings?.running });
    if (!full && this.#turns.mayStart()) this.#start(entry, group);
    else if (queue.hasRoom(group, 'waiting')) this.#wait(entry, group);
    else {
      const error = tooManyWaiting(queue.findFull(group, 'waiting'));
      queue.prune(group);
      throw error;
    }
    return entry;
  }

  waitOf(source: Omit<OperationSource, 'caller'>): SharedWait {
    return this.#sharedWaits(pathOfUnidentified(source, this.#options.limits));
  }

  waitOfSocket(address: string): SharedWait {
    return this.#sharedWaits(['sockets', address].map((key) => ({ key, limits: noLimits })));
  }

  isAccepted({ caller }: OperationSource): boolean {
    return caller !== undefined && this.#options.acceptedCallers.has(caller);
  }

  countAnswer({ source }: Entry, measure: () => number): void {
    if (!this.isAccepted(source)) this.#options.anonymousAnswers?.charge(source.address, measure());
  }

  reserveOpen(entry: Entry, document: DocumentNode, variableChars: number): void {
    const { acceptedCallers, limits } = this.#options;
    entry.releaseDocument ??= this.#heldDocuments.hold(
      accountOrAddress(entry.source, acceptedCallers),
      document,
      variableChars,
    );
    if (entry.open) return;
    const { queue } = this.#turns;
    // Again, because the gateway may have accepted the credential in the meantime.
    const group = queue.locate(pathOf(entry.source, limits, acceptedCallers));
    const full = queue.findFull(group, 'open');
    if (full) {
      queue.prune(group);
      throw new RateLimitError(
        'Too many subscriptions are open for this caller or socket. Close some of them, then retry.',
        { retryAfterSeconds, setting: full.limits.settings?.open },
      );
    }
    this.#open(entry, group);
  }

  stop(entry: Entry): void {
    this.#running.delete(entry);
    if (!entry.running) return;
    this.#turns.queue.change(entry.running, 'running', -1);
    entry.running = undefined;
    this.#turns.startNext();
  }

  release(entry: Entry): void {
    const { queue } = this.#turns;
    // The caller proved to be known, so its first operations do not count.
    if (!entry.wasAccepted && this.isAccepted(entry.source))
      this.#options.anonymousRate?.refund(entry.source.address);
    if (entry.waiting) queue.remove(entry.waiting, entry);
    entry.waiting = undefined;
    if (entry.open) queue.change(entry.open, 'open', -1);
    entry.open = undefined;
    this.stop(entry);
  }

  #start(entry: Entry, group: Group<Entry>): void {
    entry.running = group;
    entry.startedAt = this.#options.clock.elapsed();
    this.#running.add(entry);
    this.#turns.queue.change(group, 'running', 1);
  }

  #wait(entry: Entry, group: Group<Entry>): void {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    entry.admitted = promise;
    entry.admit = resolve;
    entry.queuedAt = this.#options.clock.elapsed();
    entry.waiting = group;
    this.#turns.queue.push(group, entry);
    this.#turns.startNext();
    this.#watchRunning();
  }

  /** Starts an operation that has waited. */
  #admit(entry: Entry): void {
    if (entry.waiting) this.#start(entry, entry.waiting);
    entry.waiting = undefined;
    this.#options.onWaited?.(entry.startedAt - entry.queuedAt);
    entry.admit?.(true);
  }

  #open(entry: Entry, group: Group<Entry>): void {
    entry.open = group;
    this.#turns.queue.change(group, 'open', 1);
  }

  #countLongRunning(): void {
    for (const entry of this.#running) {
      if (this.#options.clock.elapsed() - entry.startedAt < longRunningMs) return;
      this.#running.delete(entry);
      const group = entry.running;
      if (!group || (!entry.open && !this.#turns.queue.hasRoom(group, 'open'))) continue;
      if (!entry.open) this.#open(entry, group);
      this.stop(entry);
    }
  }

  /** While operations wait, those that become long-running make room for them. */
  #watchRunning(): void {
    const { clock } = this.#options;
    const [oldest] = this.#running;
    if (this.#cancelTimer || !oldest || this.#turns.queue.waiting === 0) return;
    this.#cancelTimer = clock.after(Math.max(1, oldest.startedAt + longRunningMs - clock.elapsed()), () => {
      this.#cancelTimer = undefined;
      this.#countLongRunning();
      this.#watchRunning();
    });
  }

  #takeAnonymous(address: string): void {
    const refuse = (noun: string, retryAfterSeconds: number | undefined, setting: string): void => {
      if (retryAfterSeconds === undefined) return;
      throw new RateLimitError(
        `Too many ${noun} this network address, with credentials that the gateway has not accepted. Nothing was sent. Retry.`,
        { retryAfterSeconds, setting },
      );
    };
    const { anonymousAnswers, anonymousRate } = this.#options;
    refuse(
      'bytes in the answers to',
      anonymousAnswers?.take(address, 0),
      'ANONYMOUS_ANSWER_BYTES_PER_SECOND',
    );
    refuse('operations from', anonymousRate?.take(address), 'ANONYMOUS_OPERATIONS_PER_SECOND');
  }
}

function tooManyWaiting(full: Group<unknown> | undefined): RateLimitError {
  return new RateLimitError('Too many operations of this caller are waiting. Nothing was sent. Retry.', {
    retryAfterSeconds,
    setting: full?.limits.settings?.waiting,
  });
}

/** An operation between `enter` and `release`. */
class Entry implements Permit {
  readonly #queue: Queue;
  readonly source: OperationSource;
  /** Whether the gateway had accepted the caller when the operation entered. */
  readonly wasAccepted: boolean;
  readonly waitedFor: string | undefined;
  admitted: Promise<boolean> | undefined;
  admit: ((isAdmitted: boolean) => void) | undefined;
  /** Absent while it does not count as running. */
  running: Group<Entry> | undefined;
  waiting: Group<Entry> | undefined;
  open: Group<Entry> | undefined;
  startedAt = 0;
  /** When it began to wait. */
  queuedAt = 0;
  releaseDocument: (() => void) | undefined;
  #isReleased = false;

  constructor(
    queue: Queue,
    { source, wasAccepted, waitedFor }: Pick<Entry, 'source' | 'wasAccepted' | 'waitedFor'>,
  ) {
    this.#queue = queue;
    this.source = source;
    this.wasAccepted = wasAccepted;
    this.waitedFor = waitedFor;
  }

  reserveOpen(document: DocumentNode, variableChars = 0): void {
    if (!this.#isReleased) this.#queue.reserveOpen(this, document, variableChars);
  }

  countAnswer(measure: () => number): void {
    this.#queue.countAnswer(this, measure);
  }

  settle(): void {
    this.#queue.stop(this);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.admit?.(false);
    this.releaseDocument?.();
    this.#queue.release(this);
  }
}
