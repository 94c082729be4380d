import { getOrigin, type Exchange } from '../http/routes.ts';
import { perSandbox } from '../per-sandbox.ts';
import type { Reading, StatusWords } from '../tasks/read-task.ts';
import { createTaskList, type Task } from '../tasks/task-list.ts';

export interface ReferenceVideoWork {
  readonly model: string;
  /** Path of the video. */
  readonly video: string;
}

export type ReferenceVideoTask = Task<ReferenceVideoWork>;

export const getReferenceVideos = perSandbox(createTaskList<ReferenceVideoWork>);

export const words: StatusWords<string> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  unheard: 'simmering',
};

/** The task as its creation shows it. */
export function toFirstRecord({ id, work, createdAtMs }: ReferenceVideoTask): Record<string, unknown> {
  return {
    id,
    object: 'video',
    model: work.model,
    status: words.queued,
    progress: 0,
    created_at: toSeconds(createdAtMs),
  };
}

/** The task as a read shows it. */
export function toRecord(
  exchange: Exchange,
  task: ReferenceVideoTask,
  { status, progress, hasResult, hasFailed }: Reading<string>,
): Record<string, unknown> {
  return {
    ...toFirstRecord(task),
    status,
    progress: Math.floor(progress.elapsed * 100),
    ...(hasResult && {
      completed_at: toSeconds(progress.finishedAtMs ?? task.createdAtMs),
      video_url: getOrigin(exchange) + task.work.video,
    }),
    ...(hasFailed && {
      error: { code: 'generation_failed', message: 'The model ran out of memory while it was generating' },
    }),
  };
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
