import { requireBearerKey } from '../access/credentials.ts';
import { invalidRequest, notFound } from '../http/errors.ts';
import { getQuery, replyJson, type Handler } from '../http/routes.ts';
import { disturbRead } from '../tasks/faults.ts';
import { readTask } from '../tasks/read-task.ts';
import { getVideos, toRecord, words } from './video.ts';

/** `GET /v1/video/query?id=…`: beyond the gateway's document, which has no read of these videos. */
export const handleVideoQuery: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const { id } = getQuery(exchange, ['id']);
  if (id === undefined) throw invalidRequest('id: is required');
  const videos = getVideos(services);
  const task = videos.find(token, id);
  if (!task) throw notFound(`${id}: no such video`);
  const disturbed = await disturbRead(exchange, [task]);
  return disturbed ?? replyJson(exchange, toRecord(exchange, task, readTask(videos, task, words)));
};
