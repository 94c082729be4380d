import { requireBearerKey } from '../access/credentials.ts';
import { invalidRequest } from '../http/errors.ts';
import {
  getOrigin,
  getQuery,
  replyJson,
  type Exchange,
  type Handler,
  type Services,
} from '../http/routes.ts';
import { disturbRead } from '../tasks/faults.ts';
import { createUuid } from '../tasks/ids.ts';
import { readTask, type StatusWords } from '../tasks/read-task.ts';
import { findQueriedTask, getQueriedTasks, type QueriedTask, type QueryKind } from './handles.ts';

/** `GET /videoa/v1/videos/multi-image2video/{id}` */
export const handleMultiImageVideo: Handler = (exchange, services) =>
  answer(exchange, services, 'multi-image2video');

/** `GET /videoa/v1/videos/advanced-lip-sync/{id}` */
export const handleLipSync: Handler = (exchange, services) => answer(exchange, services, 'advanced-lip-sync');

/** The family's code for what does not exist. */
const notFoundCode = 1203;

async function answer(exchange: Exchange, services: Services, kind: QueryKind): Promise<Response> {
  const token = requireBearerKey(exchange, services);
  getQuery(exchange, []);
  const handle = exchange.req.param('id') ?? '';
  if (!/^[\w.:-]{1,128}$/.test(handle)) throw invalidRequest('id: not the id of a task');
  const requestId = createUuid(services.random);
  const task = findQueriedTask(services, token, { kind, handle });
  if (!task) {
    const body = { code: notFoundCode, message: `Task not found: ${handle}`, request_id: requestId };
    return replyJson(exchange, body, 404);
  }
  const disturbed = await disturbRead(exchange, [task]);
  if (disturbed) return disturbed;
  const data = toRecord(exchange, services, task);
  return replyJson(exchange, { code: 0, message: 'SUCCEED', request_id: requestId, data });
}

const words: StatusWords<string> = {
  queued: 'submitted',
  running: 'processing',
  succeeded: 'succeed',
  failed: 'failed',
  canceled: 'failed',
  unheard: 'simmering',
};

function toRecord(exchange: Exchange, services: Services, task: QueriedTask): Record<string, unknown> {
  const { work, createdAtMs } = task;
  const { status, progress, hasResult, hasFailed } = readTask(getQueriedTasks(services), task, words);
  const video = {
    id: work.videoId,
    url: getOrigin(exchange) + work.video,
    duration: String(work.videoSeconds),
  };
  return {
    task_id: work.handle,
    task_status: status,
    task_status_msg: hasFailed ? 'The model ran out of memory while it was generating' : '',
    created_at: createdAtMs,
    updated_at: progress.finishedAtMs ?? progress.startedAtMs ?? createdAtMs,
    task_result: hasResult ? { videos: [video] } : {},
  };
}
