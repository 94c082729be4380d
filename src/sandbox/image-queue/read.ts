import { Refusal } from '../http/errors.ts';
import { getQuery, replyJson, type Exchange, type Handler, type Services } from '../http/routes.ts';
import { disturbRead, findDistortion } from '../tasks/faults.ts';
import { requireQueueKey } from './access.ts';
import { getQueue, modelName, toAcknowledgement, toResult, toStatusWord, type ImageTask } from './queue.ts';

/** `GET /hostb/{model_name}/requests/{request_id}` */
export const handleResult: Handler = async (exchange, services) => {
  const task = findTask(exchange, services);
  const disturbed = await disturbRead(exchange, [task]);
  if (disturbed) return disturbed;
  const progress = getQueue(services).progressOf(task);
  const status = toStatusWord(task, progress);
  const distortion = findDistortion(task, progress.phase);
  if (progress.phase !== 'succeeded' || distortion === 'unknown-word' || distortion === 'success-too-early') {
    return replyJson(exchange, toAcknowledgement(exchange, task, { status, progress }));
  }
  const result = toResult(exchange, task, progress);
  return replyJson(exchange, distortion === 'never-successful' ? { ...result, status } : result);
};

/** `GET …/status`, the `status_url` of an acknowledgement. */
export const handleStatus: Handler = async (exchange, services) => {
  // SDKs say whether they want logs; there are none.
  const task = findTask(exchange, services, ['logs']);
  const disturbed = await disturbRead(exchange, [task]);
  if (disturbed) return disturbed;
  const progress = getQueue(services).progressOf(task);
  const status = toStatusWord(task, progress);
  return replyJson(exchange, toAcknowledgement(exchange, task, { status, progress }));
};

/** `PUT` or `POST …/cancel`, the `cancel_url` of an acknowledgement. */
export const handleCancel: Handler = (exchange, services) => {
  const task = findTask(exchange, services);
  const queue = getQueue(services);
  if (!queue.cancel(task) && queue.progressOf(task).phase !== 'canceled') {
    throw new Refusal({
      status: 400,
      code: 'already_completed',
      type: 'invalid_request_error',
      message: `${task.id}: the request has ended already`,
    });
  }
  const progress = queue.progressOf(task);
  return replyJson(
    exchange,
    toAcknowledgement(exchange, task, { status: toStatusWord(task, progress), progress }),
  );
};

function findTask(exchange: Exchange, services: Services, query: readonly string[] = []): ImageTask {
  const token = requireQueueKey(exchange, services);
  getQuery(exchange, query);
  const model = exchange.req.param('model_name') ?? '';
  const id = exchange.req.param('request_id') ?? '';
  const task = model === 'auto' || model === modelName ? getQueue(services).find(token, id) : undefined;
  if (task) return task;
  throw new Refusal({
    status: 404,
    code: 'not_found',
    type: 'invalid_request_error',
    message: `${id}: no such request of model ${model}`,
  });
}
