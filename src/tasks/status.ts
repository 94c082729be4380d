import type { TaskStatus } from '../store/records.ts';

/** The words that upstreams use, without case and separators. One table for every family. */
const words: Readonly<Record<Exclude<TaskStatus, 'UNKNOWN'>, readonly string[]>> = {
  QUEUED: [
    'created',
    'pending',
    'starting',
    'inqueue',
    'queued',
    'queueing',
    'queuing',
    'waiting',
    'notstart',
    'notstarted',
    'submitted',
    'submitting',
    'scheduled',
    'accepted',
    'init',
    'new',
    'preparing',
  ],
  RUNNING: [
    'inprogress',
    'processing',
    'running',
    'generating',
    'active',
    'started',
    'streaming',
    'rendering',
    'working',
    'progress',
    'executing',
  ],
  SUCCEEDED: [
    'succeeded',
    'succeed',
    'success',
    'successful',
    'completed',
    'complete',
    'finished',
    'finish',
    'done',
  ],
  FAILED: [
    'failed',
    'failure',
    'fail',
    'error',
    'errored',
    'expired',
    'aborted',
    'timeout',
    'timedout',
    'rejected',
    'crashed',
  ],
  CANCELED: ['canceled', 'cancelled', 'cancel', 'canceling', 'cancelling', 'revoked'],
};

const statusOfWord: ReadonlyMap<string, TaskStatus> = new Map(
  Object.entries(words).flatMap(([status, list]) =>
    list.map((word) => [word, status as TaskStatus] as const),
  ), // The keys are statuses.
);

/** What an upstream's word means. Any word that is not in the table is UNKNOWN, which is not terminal. */
export function toTaskStatus(word: string | undefined): TaskStatus {
  return statusOfWord.get((word ?? '').toLowerCase().replaceAll(/[^a-z\d]/g, '')) ?? 'UNKNOWN';
}

export interface StatusEvidence {
  /** The envelope's word. */
  readonly outer?: string | undefined;
  /** The word of the record inside it. */
  readonly inner?: string | undefined;
  /** Whether the reply holds what was asked for. */
  readonly hasResult: boolean;
  /** Whether the reply says what went wrong. */
  readonly hasError: boolean;
}

/**
 * One status from one word or two that may disagree: the more advanced one that the reply backs. A result backs
 * success, which is nothing without it; an error backs failure; a terminal word that nothing backs yields to a running
 * one, but stands against a mere queue.
 */
export function reconcileStatus(evidence: StatusEvidence): ReconciledStatus {
  const chosen = chooseStatus(evidence);
  // A success word before there is anything to show would end the task, and its result would never be read.
  return chosen.status === 'SUCCEEDED' && !evidence.hasResult ? { ...chosen, status: 'RUNNING' } : chosen;
}

export interface ReconciledStatus {
  readonly status: TaskStatus;
  /** The upstream's word that stands. */
  readonly rawStatus: string | undefined;
}

function chooseStatus({ outer, inner, hasResult, hasError }: StatusEvidence): ReconciledStatus {
  const said = [outer, inner]
    .filter((word) => word !== undefined && word !== '')
    .map((word) => ({ rawStatus: word, status: toTaskStatus(word) }));
  const [first, second] = said;
  if (!first) return { status: 'UNKNOWN', rawStatus: undefined };
  if (!second || first.status === second.status) return first;
  const backing = (status: TaskStatus): number => {
    if (status === 'SUCCEEDED') return hasResult ? 6 : 2;
    if (status === 'FAILED') return hasError && !hasResult ? 5 : 2;
    if (status === 'CANCELED') return 4;
    return { QUEUED: 1, RUNNING: 3, UNKNOWN: 0 }[status];
  };
  // Of equals the inner word: it is closer to the work.
  return backing(first.status) > backing(second.status) ? first : second;
}

/** Progress as 0 to 1 from `"80%"`, `80`, `"80"` or `0.8`; undefined when it says nothing. */
export function toProgress(value: unknown): number | undefined {
  const [, digits, percent] =
    typeof value === 'string' ? (/^\s*(\d+(?:\.\d+)?)\s*(%)?\s*$/.exec(value) ?? []) : [];
  const number = digits === undefined ? value : Number(digits);
  if (typeof number !== 'number' || !(number >= 0 && number <= 100)) return undefined;
  return percent !== undefined || number > 1 ? number / 100 : number;
}
