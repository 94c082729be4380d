import type { DocumentNode } from 'graphql';
import { RateLimitError } from '../../errors.ts';
import type { AcceptedCallers } from '../../gateway/accepted-callers.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Group } from '../../lib/fairness/fair-queue.ts';
import { createSlice, type EventLoop, sliceMs, systemEventLoop } from '../../lib/fairness/slice.ts';
import { Turns } from '../../lib/fairness/turns.ts';
import { accountOrAddress, type AdmissionLimits, type OperationSource, pathOf } from './admission-path.ts';
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
}

export interface Permit {
  /** Resolves to true when the operation may run, or to false if it is released before. Undefined if it may run now. */
  readonly admitted: Promise<boolean> | undefined;
  /** The setting whose limit was reached when the operation began to wait. Absent if it waited for the event loop. */
  readonly waitedFor?: string | undefined;
  /**
   * Counts the operation as an open subscription, which holds its document. Call before it subscribes.
   * @throws RateLimitError if too many subscriptions are open, or with too many documents
   */
  reserveOpen(document: DocumentNode): void;
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

interface Entry {
  readonly source: OperationSource;
  /** Whether the gateway had accepted the caller when the operation entered. */
  readonly wasAccepted: boolean;
  /** Absent while it does not count as running. */
  running: Group<Entry> | undefined;
  waiting: Group<Entry> | undefined;
  open: Group<Entry> | undefined;
  startedAt: number;
  /** When it began to wait. */
  queuedAt: number;
  isReleased: boolean;
  releaseDocument: (() => void) | undefined;
  admit: ((isAdmitted: boolean) => void) | undefined;
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { limits, acceptedCallers, anonymousRate, anonymousAnswers, clock, onWaited } = options;
  const { loop = systemEventLoop } = options;
  const heldDocuments = createHeldDocuments();
  /** Running operations, the longest-running first. */
  const running = new Set<Entry>();
  let cancelTimer: (() => void) | undefined;

  const locate = (source: OperationSource): Group<Entry> =>
    groups.locate(pathOf(source, limits, acceptedCallers));
  const start = (entry: Entry, group: Group<Entry>): void => {
    entry.running = group;
    entry.startedAt = clock.elapsed();
    running.add(entry);
    groups.change(group, 'running', 1);
  };
  const stop = (entry: Entry): void => {
    running.delete(entry);
    if (!entry.running) return;
    groups.change(entry.running, 'running', -1);
    entry.running = undefined;
    turns.startNext();
  };
  const countLongRunning = (): void => {
    for (const entry of running) {
      if (clock.elapsed() - entry.startedAt < longRunningMs) return;
      running.delete(entry);
      const group = entry.running;
      if (!group || (!entry.open && !groups.hasRoom(group, 'open'))) continue;
      if (!entry.open) {
        entry.open = group;
        groups.change(group, 'open', 1);
      }
      stop(entry);
    }
  };
  /** While operations wait, those that become long-running make room for them. */
  const watchRunning = (): void => {
    const [oldest] = running;
    if (cancelTimer || !oldest || groups.waiting === 0) return;
    cancelTimer = clock.after(Math.max(1, oldest.startedAt + longRunningMs - clock.elapsed()), () => {
      cancelTimer = undefined;
      countLongRunning();
      watchRunning();
    });
  };
  const turns = new Turns<Entry>({
    createPace: (onNext) => createSlice({ lengthMs: sliceMs.operations, loop, onNext }),
    start(entry) {
      if (entry.waiting) start(entry, entry.waiting);
      entry.waiting = undefined;
      onWaited?.(entry.startedAt - entry.queuedAt);
      entry.admit?.(true);
      // Wait for the part of the operation that runs without I/O, to measure it.
      loop.afterReactions(() => turns.end());
    },
  });
  const groups = turns.queue;
  const wait = (entry: Entry, group: Group<Entry>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    entry.admit = resolve;
    entry.queuedAt = clock.elapsed();
    entry.waiting = group;
    groups.push(group, entry);
    turns.startNext();
    watchRunning();
    return promise;
  };
  const isAccepted = ({ caller }: OperationSource): boolean =>
    caller !== undefined && acceptedCallers.has(caller);
  const takeAnonymous = (address: string): void => {
    const refuse = (noun: string, retryAfterSeconds: number | undefined, setting: string): void => {
      if (retryAfterSeconds === undefined) return;
      throw new RateLimitError(
        `Too many ${noun} this network address, with credentials that the gateway has not accepted. Nothing was sent. Retry.`,
        { retryAfterSeconds, setting },
      );
    };
    refuse(
      'bytes in the answers to',
      anonymousAnswers?.take(address, 0),
      'ANONYMOUS_ANSWER_BYTES_PER_SECOND',
    );
    refuse('operations from', anonymousRate?.take(address), 'ANONYMOUS_OPERATIONS_PER_SECOND');
  };
  const release = (entry: Entry): void => {
    if (entry.isReleased) return;
    entry.isReleased = true;
    // The caller proved to be known, so its first operations do not count.
    if (!entry.wasAccepted && isAccepted(entry.source)) anonymousRate?.refund(entry.source.address);
    if (entry.waiting) groups.remove(entry.waiting, entry);
    entry.waiting = undefined;
    entry.admit?.(false);
    if (entry.open) groups.change(entry.open, 'open', -1);
    entry.open = undefined;
    entry.releaseDocument?.();
    stop(entry);
  };
  const reserveOpen = (entry: Entry, document: DocumentNode): void => {
    if (entry.isReleased) return;
    entry.releaseDocument ??= heldDocuments.hold(accountOrAddress(entry.source, acceptedCallers), document);
    if (entry.open) return;
    // Again, because the gateway may have accepted the credential in the meantime.
    const group = locate(entry.source);
    const full = groups.findFull(group, 'open');
    if (full) {
      groups.prune(group);
      throw new RateLimitError(
        'Too many subscriptions are open for this caller or socket. Close some of them, then retry.',
        { retryAfterSeconds, setting: full.limits.settings?.open },
      );
    }
    entry.open = group;
    groups.change(group, 'open', 1);
  };

  class EntryPermit implements Permit {
    readonly admitted: Promise<boolean> | undefined;
    readonly waitedFor: string | undefined;
    readonly #entry: Entry;

    constructor(entry: Entry, { admitted, waitedFor }: Pick<Permit, 'admitted' | 'waitedFor'>) {
      this.#entry = entry;
      this.admitted = admitted;
      this.waitedFor = waitedFor;
    }

    reserveOpen(document: DocumentNode): void {
      reserveOpen(this.#entry, document);
    }

    countAnswer(measure: () => number): void {
      const { source } = this.#entry;
      if (!isAccepted(source)) anonymousAnswers?.charge(source.address, measure());
    }

    settle(): void {
      stop(this.#entry);
    }

    release(): void {
      release(this.#entry);
    }
  }

  return {
    enter(source) {
      countLongRunning();
      const wasAccepted = isAccepted(source);
      if (!wasAccepted) takeAnonymous(source.address);
      const { caller } = source;
      if (caller) options.ownerGroups?.set(caller.owner, accountOrAddress(source, acceptedCallers));
      const group = locate(source);
      const entry: Entry = {
        source,
        wasAccepted,
        running: undefined,
        waiting: undefined,
        open: undefined,
        startedAt: 0,
        queuedAt: 0,
        isReleased: false,
        releaseDocument: undefined,
        admit: undefined,
      };
      let admitted: Promise<boolean> | undefined;
      const waitedFor = groups.findFull(group, 'running')?.limits.settings?.running;
      if (groups.hasRoom(group, 'running') && turns.mayStart()) start(entry, group);
      else if (groups.hasRoom(group, 'waiting')) admitted = wait(entry, group);
      else {
        const setting = groups.findFull(group, 'waiting')?.limits.settings?.waiting;
        groups.prune(group);
        throw new RateLimitError('Too many operations of this caller are waiting. Nothing was sent. Retry.', {
          retryAfterSeconds,
          setting,
        });
      }
      return new EntryPermit(entry, { admitted, waitedFor });
    },
  };
}
