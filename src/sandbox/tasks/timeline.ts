/** What a task goes through, whatever words its family has for it. */
export type Phase = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

export interface Progress {
  readonly phase: Phase;
  /** How much of the whole time is over, from 0 to 1. */
  readonly elapsed: number;
  /** How much of the work is done, from 0 to 1; 0 while it waits in the queue. */
  readonly done: number;
  /** Milliseconds since the epoch; undefined until it happens. */
  readonly startedAtMs: number | undefined;
  readonly finishedAtMs: number | undefined;
}

export interface Timeline {
  readonly createdAtMs: number;
  readonly durationMs: number;
  readonly canceledAtMs: number | undefined;
  /** Where the work goes wrong, if it does: it ends in a failure, or never. */
  readonly ending: 'success' | 'failure' | 'never';
}

/** The part of its time that a task waits in the queue. */
const queueShare = 0.2;
/** How far work gets that fails or hangs. */
const brokenAt = 0.6;

/** Where a task is at a moment: a function of time alone, so that nothing has to run in between. */
export function readTimeline(timeline: Timeline, nowMs: number): Progress {
  const { createdAtMs, durationMs, canceledAtMs, ending } = timeline;
  const endsAt = ending === 'success' ? 1 : brokenAt;
  const passedMs = Math.max(0, Math.min(nowMs, canceledAtMs ?? nowMs) - createdAtMs);
  const elapsed = durationMs === 0 ? endsAt : Math.min(endsAt, passedMs / durationMs);
  const hasStarted = elapsed >= queueShare;
  const phase = choosePhase({
    ending,
    isOver: elapsed >= endsAt,
    isCanceled: canceledAtMs !== undefined,
    hasStarted,
  });
  const at = (share: number): number => Math.round(createdAtMs + durationMs * share);
  return {
    phase,
    elapsed,
    done: hasStarted ? (elapsed - queueShare) / (1 - queueShare) : 0,
    startedAtMs: hasStarted ? at(queueShare) : undefined,
    finishedAtMs: phase === 'canceled' ? canceledAtMs : isTerminal(phase) ? at(endsAt) : undefined,
  };
}

function choosePhase(facts: {
  readonly ending: Timeline['ending'];
  readonly isOver: boolean;
  readonly isCanceled: boolean;
  readonly hasStarted: boolean;
}): Phase {
  if (facts.isOver && facts.ending === 'success') return 'succeeded';
  if (facts.isOver && facts.ending === 'failure') return 'failed';
  if (facts.isCanceled) return 'canceled';
  return facts.hasStarted ? 'running' : 'queued';
}

export function isTerminal(phase: Phase): boolean {
  return phase !== 'queued' && phase !== 'running';
}
