import { getOrigin, type Exchange } from '../http/routes.ts';
import { perSandbox } from '../per-sandbox.ts';
import type { Reading, StatusWords } from '../tasks/read-task.ts';
import { createTaskList, type Task } from '../tasks/task-list.ts';

export interface SpeechWork {
  readonly text: string;
  readonly durationSeconds: number;
  readonly seed: number;
  readonly credits: number;
  /** Path of the audio. */
  readonly audio: string;
}

export type SpeechTask = Task<SpeechWork>;

export const getSpeeches = perSandbox(createTaskList<SpeechWork>);

/** What the one model of this family is called in its records. */
export const modelName = 'audio-tts';

export const words: StatusWords<string> = {
  queued: 'created',
  running: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  unheard: 'simmering',
};

/** The record as its creation shows it. */
export function toFirstRecord({ id, work, createdAtMs }: SpeechTask): Record<string, unknown> {
  return {
    task_id: id,
    state: words.queued,
    model: modelName,
    prompt: work.text,
    duration: work.durationSeconds,
    seed: work.seed,
    created_at: new Date(createdAtMs).toISOString(),
    credits: work.credits,
  };
}

/** The record as a read shows it. */
export function toRecord(
  exchange: Exchange,
  task: SpeechTask,
  { status, hasResult, hasFailed }: Reading<string>,
): Record<string, unknown> {
  return {
    ...toFirstRecord(task),
    state: status,
    ...(hasResult && { audio_url: getOrigin(exchange) + task.work.audio }),
    ...(hasFailed && { error: 'The speech could not be synthesised: the model lost its voice' }),
  };
}
