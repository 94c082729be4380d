import { requireApiKeyHeader } from '../access/credentials.ts';
import { getQuery, type Handler } from '../http/routes.ts';
import { disturbRead } from '../tasks/faults.ts';
import { readTask } from '../tasks/read-task.ts';
import { getTransitions, replySuccess, replyUnknown, toRecord, wordsOf } from './transition.ts';

/** `GET /openapi/v2/video/result/{video_id}`: beyond the gateway's document, which has no read of these videos. */
export const handleTransitionResult: Handler = async (exchange, services) => {
  const token = requireApiKeyHeader(exchange, services);
  getQuery(exchange, []);
  const id = exchange.req.param('video_id') ?? '';
  const transitions = getTransitions(services);
  const task = transitions.find(token, id);
  if (!task) return replyUnknown(exchange, `The video ${id} does not exist`, 404);
  const disturbed = await disturbRead(exchange, [task]);
  if (disturbed) return disturbed;
  return replySuccess(exchange, toRecord(exchange, task, readTask(transitions, task, wordsOf(task))));
};
