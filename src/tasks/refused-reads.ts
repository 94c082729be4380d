import { GatewayError } from '../errors.ts';
import { concernsCaller } from '../gateway/decode-error.ts';
import { abbreviate } from '../lib/text.ts';
import { dayMs, isRecent } from '../lib/time.ts';
import { isPresumedFailed, type RefusedReads, type Task } from '../store/records.ts';

/**
 * A gateway may answer every read of a failed task with a refusal. So many refusals over this time end the task. Refusals
 * within `intervalMs` of the last counted one do not count, so that frequent reads do not end it sooner.
 */
const maxRefusedReads = 20;
const minRefusedMs = 600_000;
const intervalMs = 30_000;
/** The end is presumed, so a task that is read is checked again: at these intervals, and not for longer. */
const recheckIntervalMs = 60_000;
const maxRecheckMs = dayMs;

const refusalStatuses: ReadonlySet<number | undefined> = new Set([400, 410, 422]);

/** A refusal that may be the end of the task. One because of the caller says nothing about the task. */
export function asRefusedRead(error: unknown): GatewayError | undefined {
  if (!(error instanceof GatewayError) || !refusalStatuses.has(error.status)) return undefined;
  return concernsCaller(error) ? undefined : error;
}

/** The task after a refused read: FAILED when there were too many, and the same object if the refusal does not count. */
export function afterRefusedRead(task: Task, refusal: GatewayError, now: number): Task {
  const before = task.refusedReads;
  if (before && isRecent(before.lastAt, now, intervalMs)) return task;
  const counted: RefusedReads = {
    ...before,
    reads: (before?.reads ?? 0) + 1,
    firstAt: Math.min(before?.firstAt ?? now, now),
    lastAt: now,
  };
  const isEnd = counted.reads >= maxRefusedReads && now - counted.firstAt >= minRefusedMs;
  if (before?.endedAt !== undefined || !isEnd) return { ...task, refusedReads: counted };
  const { message, upstreamCode, status } = refusal;
  return {
    ...task,
    status: 'FAILED',
    error: {
      code: 'GATEWAY_ERROR',
      message: abbreviate(`The gateway refuses to return the result: ${message}`, 1000),
      upstreamCode,
      status,
      retry: 'MAY_CHARGE_AGAIN',
    },
    refusedReads: { ...counted, endedAt: now },
    updatedAt: now,
  };
}

/** Whether to read a task again although it has ended, because its end is presumed. */
export function isRecheckDue(task: Task, now: number): boolean {
  const { endedAt, lastAt = 0 } = task.refusedReads ?? {};
  if (!isPresumedFailed(task) || endedAt === undefined) return false;
  return !isRecent(lastAt, now, recheckIntervalMs) && now - endedAt < maxRecheckMs;
}

/** The task after a read that failed for another reason. A check of a presumed end waits for its next interval. */
export function afterFailedRead(task: Task, now: number): Task {
  if (!isPresumedFailed(task) || !task.refusedReads) return task;
  return { ...task, refusedReads: { ...task.refusedReads, lastAt: now } };
}

/** The task after a read that says that the work goes on: in its state, unless that was a presumed end. */
export function withoutRefusals(task: Task): Task {
  if (!task.refusedReads) return task;
  const kept = { ...task, refusedReads: undefined };
  return isPresumedFailed(task) ? { ...kept, status: 'RUNNING', error: undefined } : kept;
}
