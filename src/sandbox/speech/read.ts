import { requireBearerKey } from '../access/credentials.ts';
import { notFound } from '../http/errors.ts';
import { getQuery, replyJson, type Handler } from '../http/routes.ts';
import { disturbRead } from '../tasks/faults.ts';
import { readTask } from '../tasks/read-task.ts';
import { getSpeeches, toRecord, words } from './speech.ts';

/** `GET /ent/v2/tasks/{task_id}`: beyond the gateway's document, which has no read of speeches. */
export const handleSpeechTask: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  getQuery(exchange, []);
  const id = exchange.req.param('task_id') ?? '';
  const speeches = getSpeeches(services);
  const task = speeches.find(token, id);
  if (!task) throw notFound(`${id}: no such task`);
  const disturbed = await disturbRead(exchange, [task]);
  return disturbed ?? replyJson(exchange, toRecord(exchange, task, readTask(speeches, task, words)));
};
