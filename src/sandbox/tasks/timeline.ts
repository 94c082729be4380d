/** The state of a task, independent of its family's words. */
export type Phase = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

export interface Progress {
  readonly phase: Phase;
  /** Elapsed part of the whole time, from 0 to 1. */
  readonly elapsed: number;
  /** Finished part of the work, from 0 to 1; 0 in the queue. */
  readonly done: number;
  /** Milliseconds since the epoch; undefined before that. */
  readonly startedAtMs: number | undefined;
  readonly finishedAtMs: number | undefined;
}

export interface Timeline {
  readonly createdAtMs: number;
  readonly durationMs: number;
  readonly canceledAtMs: number | undefined;
  /** `never`: the task hangs. */
  readonly ending: 'success' | 'failure' | 'never';
}

/** Part of the whole time that a task is queued. */
const queueShare = 0.2;
/** Part of the whole time at which a task fails or hangs. */
const brokenAt = 0.6;

/** Computes a task's progress at the given time, without timers or stored state. */
export function readTimeline(timeline: Timeline, nowMs: number): Progress {
  const { createdAtMs, durationMs, canceledAtMs, ending } = timeline;
  const endsAt = ending === 'success' ? 1 : brokenAt;
  const passedMs = Math.max(0, Math.min(nowMs, canceledAtMs ?? nowMs) - createdAtMs);
  const elapsed = durationMs === 0 ? endsAt : Math.min(endsAt, passedMs / durationMs);
  const hasStarted = elapsed >= queueShare;
  const isOver = elapsed >= endsAt && ending !== 'never';
  const end = ending === 'success' ? 'succeeded' : 'failed';
  const unfinished = canceledAtMs !== undefined ? 'canceled' : hasStarted ? 'running' : 'queued';
  const phase = isOver ? end : unfinished;
  const at = (share: number): number => Math.round(createdAtMs + durationMs * share);
  return {
    phase,
    elapsed,
    done: hasStarted ? (elapsed - queueShare) / (1 - queueShare) : 0,
    startedAtMs: hasStarted ? at(queueShare) : undefined,
    finishedAtMs: phase === 'canceled' ? canceledAtMs : isTerminal(phase) ? at(endsAt) : undefined,
  };
}

export function isTerminal(phase: Phase): boolean {
  return phase !== 'queued' && phase !== 'running';
}

/** Unix seconds. */
export function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** ISO 8601. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
