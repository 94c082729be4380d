import { invalidRequest } from '../http/errors.ts';
import { getQuery, replyJson, type Handler, type Services } from '../http/routes.ts';
import { planFilm } from '../media/film.ts';
import { findFaults, type Faults } from '../tasks/faults.ts';
import { commonWords, outOfMemory } from '../tasks/read-task.ts';
import { createTaskFamily, type TaskView } from '../tasks/task-family.ts';
import type { NewTask } from '../tasks/task-list.ts';

/** The two kinds of tasks, as the path names them. */
type QueryKind = 'multi-image2video' | 'advanced-lip-sync';

interface QueriedWork {
  /** The task's id, as the caller knows it. */
  readonly handle: string;
  /** Path of the video. */
  readonly video: string;
}

const notFoundCode = 1203;
const videoSeconds = 5;

const queries = createTaskFamily<QueriedWork, string>({
  noun: 'task',
  words: {
    ...commonWords,
    queued: 'submitted',
    running: 'processing',
    succeeded: 'succeed',
    canceled: 'failed',
  },
  toRecord,
});

/** `GET /videoa/v1/videos/multi-image2video/{id}` */
export const readMultiImageVideo = createRead('multi-image2video');
/** `GET /videoa/v1/videos/advanced-lip-sync/{id}` */
export const readLipSync = createRead('advanced-lip-sync');

/** Nothing creates these tasks. A task begins when a caller first reads it. */
function createRead(kind: QueryKind): Handler {
  return queries.read({
    find: (call) => {
      const { exchange, services, token } = call;
      getQuery(exchange, []);
      const handle = exchange.req.param('id') ?? '';
      if (!/^[\w.:-]{1,128}$/.test(handle)) throw invalidRequest('id: not the id of a task');
      if (handle.startsWith('missing')) {
        const message = `Task not found: ${handle}`;
        return replyJson(exchange, { code: notFoundCode, message, request_id: crypto.randomUUID() }, 404);
      }
      const id = `${token.key} ${kind} ${handle}`;
      const tasks = queries.list(services);
      return tasks.find(token, id) ?? tasks.add({ id, token, ...planTask(services, kind, handle) });
    },
  });
}

function toRecord(view: TaskView<QueriedWork, string>): unknown {
  const { work, createdAtMs, updatedAtMs, status, hasResult, hasFailed, mediaOrigin } = view;
  const video = {
    id: `${work.handle}-video`,
    url: mediaOrigin + work.video,
    duration: String(videoSeconds),
  };
  return {
    code: 0,
    message: 'SUCCEED',
    request_id: crypto.randomUUID(),
    data: {
      task_id: work.handle,
      task_status: status,
      task_status_msg: hasFailed ? outOfMemory : '',
      created_at: createdAtMs,
      updated_at: updatedAtMs,
      task_result: hasResult ? { videos: [video] } : {},
    },
  };
}

function planTask(
  { media }: Services,
  kind: QueryKind,
  handle: string,
): Omit<NewTask<QueriedWork>, 'id' | 'token'> {
  // `demo-failed-30` takes 30 seconds and is otherwise `demo-failed`.
  const [, name = handle, seconds] = /^(.*)-(\d{1,3})$/.exec(handle) ?? [];
  const film = planFilm({
    prompts: [`${kind} ${handle}`],
    seed: handle,
    shape: kind === 'advanced-lip-sync' ? '9:16' : '16:9',
    shortSide: 180,
    seconds: videoSeconds,
  });
  return {
    faults: findHandleFaults(name),
    sizeBytes: handle.length,
    ...(seconds !== undefined && { durationMs: Number(seconds) * 1000 }),
    work: { handle, video: media.publish(film) },
  };
}

/** `demo-contradict-late` asks for `fault:contradict-late`. */
function findHandleFaults(name: string): Faults {
  const parts = name.split('-');
  return findFaults(parts.slice(1).map((_, index) => `fault:${parts.slice(index + 1).join('-')}`));
}
