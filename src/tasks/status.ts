import { namesOf } from '../lib/members.ts';
import { isTerminal, type TaskStatus } from '../store/records.ts';

/** Status words of all upstreams, in lower case without separators. One table for every family. */
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
    'canceling',
    'cancelling',
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
  CANCELED: ['canceled', 'cancelled', 'cancel', 'revoked'],
};

const statusOfWord: ReadonlyMap<string, TaskStatus> = new Map(
  namesOf(words).flatMap((status) => words[status].map((word) => [word, status] as const)),
);

/** Maps an upstream's status word. A word outside the table is UNKNOWN, which is not terminal. */
export function toTaskStatus(word: string | undefined): TaskStatus {
  return statusOfWord.get((word ?? '').toLowerCase().replaceAll(/[^a-z\d]/g, '')) ?? 'UNKNOWN';
}

export interface StatusEvidence {
  /** Status word of the envelope. */
  readonly outer?: string | undefined;
  /** Status word of the record in the envelope. */
  readonly inner?: string | undefined;
  /** Whether the reply holds the result. */
  readonly hasResult: boolean;
  /** Whether the reply holds an error message. */
  readonly hasError: boolean;
  /** Whether the reply says that the work is over: by an end time, or because its data was removed. */
  readonly isOver?: boolean;
}

/**
 * Derives one status from one or two words that may disagree. The word with the strongest evidence wins: a result for
 * success, and an error for failure. Success or failure without evidence loses to a running word and beats a queued one.
 * A success word without a result is RUNNING at first, since the result may follow, unless the reply says that the work is
 * over, or has an error: some queues call all work completed that has ended. A result without a success word is partial, so
 * it does not end the task either, unless the reply says so.
 */
export function reconcileStatus(evidence: StatusEvidence): ReconciledStatus {
  const chosen = chooseStatus(evidence);
  if (!isTerminal(chosen.status) && evidence.hasResult && evidence.isOver)
    return { ...chosen, status: 'SUCCEEDED' };
  if (chosen.status !== 'SUCCEEDED' || evidence.hasResult) return chosen;
  if (evidence.hasError) return { ...chosen, status: 'FAILED' };
  if (evidence.isOver) return chosen;
  return { ...chosen, status: 'RUNNING', isUnprovenSuccess: true };
}

export interface ReconciledStatus {
  readonly status: TaskStatus;
  /** The upstream word that won. */
  readonly rawStatus: string | undefined;
  /** The word means success, but the reply holds no result. */
  readonly isUnprovenSuccess?: true;
}

function chooseStatus({ outer, inner, hasResult, hasError }: StatusEvidence): ReconciledStatus {
  const reported = [outer, inner]
    .filter((word) => word !== undefined && word !== '')
    .map((word) => ({ rawStatus: word, status: toTaskStatus(word) }));
  const [first, second] = reported;
  if (!first) return { status: 'UNKNOWN', rawStatus: undefined };
  if (!second || first.status === second.status) return first;
  const evidenceRank = (status: TaskStatus): number => {
    if (status === 'SUCCEEDED') return hasResult ? 6 : 2;
    if (status === 'FAILED') return hasError && !hasResult ? 5 : 2;
    if (status === 'CANCELED') return 4;
    return { QUEUED: 1, RUNNING: 3, UNKNOWN: 0 }[status];
  };
  // The inner word wins a tie: it describes the task itself.
  return evidenceRank(first.status) > evidenceRank(second.status) ? first : second;
}

/**
 * Decodes progress as 0 to 1 from `"80%"`, `80`, `"80"` or `0.8`. Undefined for any other value, and for a 1 without a percent
 * sign before the success: it can be 1 % or all.
 */
export function toProgress(value: unknown, status: TaskStatus): number | undefined {
  const [, digits, percent] =
    typeof value === 'string' ? (/^(\d+(?:\.\d+)?)\s*(%)?$/.exec(value.trim()) ?? []) : [];
  const number = digits === undefined ? value : Number(digits);
  if (typeof number !== 'number' || !(number >= 0 && number <= 100)) return undefined;
  if (number === 1 && percent === undefined && status !== 'SUCCEEDED') return undefined;
  return percent !== undefined || number > 1 ? number / 100 : number;
}
