import { getOrigin, type Exchange } from '../http/routes.ts';
import { perSandbox } from '../per-sandbox.ts';
import type { Reading, StatusWords } from '../tasks/read-task.ts';
import { createTaskList, type Task } from '../tasks/task-list.ts';

export interface VideoWork {
  /** Path of the video. */
  readonly video: string;
  readonly failure: VideoFailure;
}

export interface VideoFailure {
  readonly code: string;
  readonly message: string;
}

export type VideoTask = Task<VideoWork>;

export const getVideos = perSandbox(createTaskList<VideoWork>);

export const words: StatusWords<string> = {
  queued: 'pending',
  running: 'processing',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  unheard: 'simmering',
};

export const failures = {
  generation: { code: 'generation_failed', message: 'The model ran out of memory while it was generating' },
  realPerson: {
    code: 'character_creation_failed',
    message: 'The character was not created: its video contains a real person',
  },
} as const satisfies Readonly<Record<string, VideoFailure>>;

/** The task as its creation shows it. */
export function toFirstRecord({ id, createdAtMs }: VideoTask): Record<string, unknown> {
  return { id, status: words.queued, status_update_time: toSeconds(createdAtMs) };
}

/** The task as a read shows it. */
export function toRecord(
  exchange: Exchange,
  { id, work, createdAtMs }: VideoTask,
  { status, progress, hasResult, hasFailed }: Reading<string>,
): Record<string, unknown> {
  return {
    id,
    status,
    status_update_time: toSeconds(progress.finishedAtMs ?? progress.startedAtMs ?? createdAtMs),
    progress: Math.floor(progress.elapsed * 100),
    video_url: hasResult ? getOrigin(exchange) + work.video : null,
    error: hasFailed ? work.failure : null,
  };
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
