import { toFailure } from '../generations/failure.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Clock } from '../lib/clock.ts';
import type { GenerationFailure, Task } from '../store/records.ts';
import { isWatched, type PollEntry, publish } from './poll-rounds.ts';
import { toWaitMs } from './retry-after.ts';
import type { TaskOutcome } from './task-outcome.ts';

export interface SettlePollOptions {
  readonly clock: Clock;
  readonly jitter: (intervalMs: number) => number;
  /** The longest interval while a task is watched. */
  readonly maxIntervalMs: number;
  readonly failureGraceMs: number;
}

const intervalGrowth = 1.4;
/** The longest interval while a task is not watched. */
const maxUnwatchedMs = 300_000;

/** Applies the outcome of a read: the next interval, and the state that watchers see. Returns the failure of the read. */
export function settlePoll(
  entry: PollEntry,
  outcome: TaskOutcome,
  { clock, jitter, maxIntervalMs, failureGraceMs }: SettlePollOptions,
): GenerationFailure | undefined {
  const now = clock.elapsed();
  let waitMs = jitter(entry.intervalMs);
  entry.intervalMs = Math.min(
    isWatched(entry) ? maxIntervalMs : maxUnwatchedMs,
    entry.intervalMs * intervalGrowth,
  );
  const failure = outcome instanceof Error ? toFailure(outcome) : outcome?.readFailure;
  if (failure) {
    entry.failingSince ??= now;
    if (outcome && !(outcome instanceof Error)) show(entry, withoutReading(entry.task, outcome));
    waitMs = Math.max(waitMs, toWaitMs(failure.retryAfterSeconds));
    const shownAt = entry.failingSince + failureGraceMs;
    const isCertain = isLasting(failure) || now >= shownAt;
    // Watchers learn of a failure that lasts at that time. The read sends no request if `Retry-After` still postpones it.
    if (!isCertain && isWatched(entry)) waitMs = Math.min(waitMs, shownAt - now);
    if (isCertain && entry.task.readFailure?.code !== failure.code)
      publish(entry, { ...entry.task, readFailure: failure });
  } else if (!(outcome instanceof Error)) {
    entry.failingSince = undefined;
    show(entry, outcome ?? entry.task);
  }
  entry.dueAt = now + waitMs;
  return failure;
}

function show(entry: PollEntry, task: Task): void {
  if (isSame(task, entry.task)) entry.task = task;
  else publish(entry, task);
}

/** The recorded task, which others may have read meanwhile. Watchers do not see its failure yet. */
function withoutReading({ readFailure, lastReadAt = 0 }: Task, record: Task): Task {
  const readAt = Math.max(lastReadAt, record.lastReadAt ?? 0);
  return { ...record, readFailure, ...(readAt > 0 && { lastReadAt: readAt }) };
}

/** Whether two readings of a task look equal to clients, apart from their time. */
export function isSame(
  { lastReadAt: _left, refusedReads: _leftReads, ...left }: Task,
  { lastReadAt: _right, refusedReads: _rightReads, ...right }: Task,
): boolean {
  // Readings of one recorded reply share the same `raw` object, and all other members derive from it.
  const isOneReply = left.raw !== undefined && left.raw === right.raw && left.status === right.status;
  if (isOneReply && left.readFailure === right.readFailure) return true;
  return canonicalJson(left) === canonicalJson(right);
}

/** A refused credential or an exhausted quota does not change soon, so watchers see it without the grace time. */
export function isLasting({ code }: GenerationFailure): boolean {
  return code === 'AUTHENTICATION_FAILED' || code === 'QUOTA_EXCEEDED';
}
