import { getOrigin, replyJson, type Exchange } from '../http/routes.ts';
import type { FilmSize } from '../media/film.ts';
import { perSandbox } from '../per-sandbox.ts';
import type { Reading, StatusWords } from '../tasks/read-task.ts';
import { createTaskList, type Task } from '../tasks/task-list.ts';

export interface TransitionWork {
  /** Has more than 53 bits. */
  readonly videoId: bigint;
  readonly prompt: string;
  readonly size: FilmSize;
  /** Path of the video. */
  readonly video: string;
  readonly isModerated: boolean;
}

export type TransitionTask = Task<TransitionWork>;

export const getTransitions = perSandbox(createTaskList<TransitionWork>);

const words: StatusWords<number> = {
  queued: 5,
  running: 5,
  succeeded: 1,
  failed: 8,
  canceled: 8,
  unheard: 42,
};

/** The status numbers of a task: one that is moderated fails by a number of its own. */
export function wordsOf({ work }: TransitionTask): StatusWords<number> {
  return work.isModerated ? { ...words, failed: 7 } : words;
}

/** The family's code for what does not exist. */
const notFoundCode = 500_008;

export function replySuccess(exchange: Exchange, body: unknown): Response {
  return replyJson(exchange, toSuccess(body));
}

export function toSuccess(body: unknown): Record<string, unknown> {
  return { ErrCode: 0, ErrMsg: 'success', Resp: body };
}

/** How the family says that something does not exist: by default under HTTP 200, as everything. */
export function replyUnknown(exchange: Exchange, message: string, status: 200 | 404 = 200): Response {
  return replyJson(exchange, { ErrCode: notFoundCode, ErrMsg: message, Resp: null }, status);
}

/** The task as a read shows it. */
export function toRecord(
  exchange: Exchange,
  { work, createdAtMs }: TransitionTask,
  { status, progress, hasResult, hasFailed }: Reading<number>,
): Record<string, unknown> {
  const { videoId, prompt, size, isModerated } = work;
  const reason = isModerated
    ? 'The content was refused by moderation'
    : 'The model ran out of memory while it was generating';
  return {
    id: videoId,
    status,
    prompt,
    url: hasResult ? getOrigin(exchange) + work.video : '',
    outputWidth: size.width,
    outputHeight: size.height,
    fail_reason: hasFailed ? reason : '',
    create_time: toTimestamp(createdAtMs),
    modify_time: toTimestamp(progress.finishedAtMs ?? progress.startedAtMs ?? createdAtMs),
  };
}

function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
