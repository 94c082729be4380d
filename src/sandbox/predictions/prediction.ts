import { getOrigin, type Exchange } from '../http/routes.ts';
import { perSandbox } from '../per-sandbox.ts';
import { findDistortion, unknownWord } from '../tasks/faults.ts';
import { createTaskList, type Task } from '../tasks/task-list.ts';
import { isTerminal, type Phase, type Progress } from '../tasks/timeline.ts';
import { writeLogs } from './logs.ts';

/** What a prediction was asked for, and the files that come of it. */
export interface PredictionWork {
  /** `owner/name` */
  readonly model: string;
  readonly version: string;
  /** As it was submitted. */
  readonly input: unknown;
  readonly seed: number;
  readonly steps: number;
  /** Paths of media. One model gives one file, the other a list. */
  readonly output: string | readonly string[];
}

export type PredictionTask = Task<PredictionWork>;

export const getPredictions = perSandbox(createTaskList<PredictionWork>);

/** The record of a prediction at a moment. */
export function toRecord(
  exchange: Exchange,
  task: PredictionTask,
  progress: Progress,
): Record<string, unknown> {
  const { id, work } = task;
  const { phase, startedAtMs, finishedAtMs } = progress;
  const origin = getOrigin(exchange);
  const distortion = findDistortion(task, phase);
  const hasOutput =
    phase === 'succeeded' && distortion !== 'success-too-early' && distortion !== 'unknown-word';
  const hasEnded = hasOutput || phase === 'failed' || phase === 'canceled';
  return {
    id,
    model: work.model,
    version: work.version,
    input: work.input,
    logs: writeLogs(work, progress.done),
    output: hasOutput ? toAddresses(origin, work.output) : null,
    data_removed: false,
    error: phase === 'failed' ? failReason : null,
    status: toStatusWord(task, phase),
    created_at: toTimestamp(task.createdAtMs),
    ...(startedAtMs !== undefined && { started_at: toTimestamp(startedAtMs) }),
    ...(hasEnded && {
      completed_at: toTimestamp(finishedAtMs ?? 0),
      metrics: { predict_time: ((finishedAtMs ?? 0) - (startedAtMs ?? finishedAtMs ?? 0)) / 1000 },
    }),
    urls: toUrls(origin, id),
  };
}

/** The record as its creation shows it, however fast the rest is. */
export function toFirstRecord(exchange: Exchange, task: PredictionTask): Record<string, unknown> {
  return toRecord(exchange, task, {
    phase: 'queued',
    elapsed: 0,
    done: 0,
    startedAtMs: undefined,
    finishedAtMs: undefined,
  });
}

export function toAddresses(origin: string, output: string | readonly string[]): string | readonly string[] {
  return typeof output === 'string' ? origin + output : output.map((path) => origin + path);
}

export const failReason = 'The model ran out of memory while it was predicting';

const words: Readonly<Record<Phase, string>> = {
  queued: 'starting',
  running: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

function toStatusWord(task: PredictionTask, phase: Phase): string {
  // A creation is not a read: it is never distorted.
  const distortion = task.reads === 0 && !isTerminal(phase) ? undefined : findDistortion(task, phase);
  if (distortion === 'unknown-word') return unknownWord;
  if (distortion === 'success-too-early') return words.succeeded;
  if (distortion === 'never-successful') return words.running;
  return words[phase];
}

function toUrls(origin: string, id: string): Record<string, string> {
  const address = `${origin}/hosta/v1/predictions/${id}`;
  return {
    cancel: `${address}/cancel`,
    get: address,
    stream: `${address}/stream`,
    web: `${origin}/hosta/p/${id}`,
  };
}

function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
