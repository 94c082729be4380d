import { requireBearerKey } from '../access/credentials.ts';
import { notFound } from '../http/errors.ts';
import { getQuery, replyJson, type Handler } from '../http/routes.ts';
import { disturbRead } from '../tasks/faults.ts';
import { readTask } from '../tasks/read-task.ts';
import { getReferenceVideos, toRecord, words } from './video.ts';

/** `GET /v1/videos/{id}`: beyond the gateway's document, which has no read of these videos. */
export const handleReferenceVideoTask: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  getQuery(exchange, []);
  const id = exchange.req.param('id') ?? '';
  const videos = getReferenceVideos(services);
  const task = videos.find(token, id);
  if (!task) throw notFound(`${id}: no such video`);
  const disturbed = await disturbRead(exchange, [task]);
  return disturbed ?? replyJson(exchange, toRecord(exchange, task, readTask(videos, task, words)));
};
