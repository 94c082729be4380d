import { commonWords, outOfMemory } from '../tasks/read-task.ts';
import { createTaskFamily, type TaskView } from '../tasks/task-family.ts';
import { toTimestamp } from '../tasks/timeline.ts';
import { writeLogs } from './logs.ts';

/** A prediction's request and its files. */
export interface PredictionWork {
  /** `owner/name` */
  readonly model: string;
  readonly version: string;
  /** As submitted. */
  readonly input: unknown;
  readonly seed: number;
  readonly steps: number;
  /** Paths of media. The animation model returns a list, the fill model one file. */
  readonly output: string | readonly string[];
}

export const predictions = createTaskFamily<PredictionWork, string>({
  noun: 'prediction',
  words: { ...commonWords, queued: 'starting', running: 'processing', succeeded: 'succeeded' },
  toRecord,
});

export function toRecord({
  id,
  work,
  origin,
  mediaOrigin,
  progress,
  ...view
}: TaskView<PredictionWork, string>): unknown {
  const { startedAtMs } = progress;
  const { createdAtMs, updatedAtMs, status, hasResult, hasFailed, hasEnded } = view;
  const address = `${origin}/hosta/v1/predictions/${id}`;
  const outputs = toAddresses(mediaOrigin, work.output);
  return {
    id,
    model: work.model,
    version: work.version,
    input: work.input,
    logs: writeLogs(work, progress.done),
    output: hasResult ? (typeof work.output === 'string' ? outputs[0] : outputs) : null,
    data_removed: false,
    error: hasFailed ? outOfMemory : null,
    status,
    created_at: toTimestamp(createdAtMs),
    ...(startedAtMs !== undefined && { started_at: toTimestamp(startedAtMs) }),
    ...(hasEnded && {
      completed_at: toTimestamp(updatedAtMs),
      metrics: { predict_time: (updatedAtMs - (startedAtMs ?? updatedAtMs)) / 1000 },
    }),
    urls: {
      cancel: `${address}/cancel`,
      get: address,
      stream: `${address}/stream`,
      web: `${mediaOrigin}/hosta/p/${id}`,
    },
  };
}

export function toAddresses(origin: string, output: PredictionWork['output']): readonly string[] {
  return [output].flat().map((path) => origin + path);
}
