import { requireBearerKey } from '../access/credentials.ts';
import { Refusal } from '../http/errors.ts';
import { replyJson, type Exchange, type Handler, type Services } from '../http/routes.ts';
import { disturbRead } from '../tasks/faults.ts';
import { getPredictions, toRecord, type PredictionTask } from './prediction.ts';

/** `urls.get` of a prediction. */
export const handleGet: Handler = async (exchange, services) => {
  const task = findPrediction(exchange, services);
  const disturbed = await disturbRead(exchange, [task]);
  return disturbed ?? replyRecord(exchange, services, task);
};

/** `urls.cancel` of a prediction, by `POST`. One that has ended stays as it is. */
export const handleCancel: Handler = (exchange, services) => {
  const task = findPrediction(exchange, services);
  getPredictions(services).cancel(task);
  return replyRecord(exchange, services, task);
};

/** The prediction of the path, if it is the caller's; else the request is refused (404). */
export function findPrediction(exchange: Exchange, services: Services): PredictionTask {
  const token = requireBearerKey(exchange, services);
  const id = exchange.req.param('id') ?? '';
  return getPredictions(services).find(token, id) ?? refuseUnknown(id);
}

export function refuseUnknown(id: string): never {
  throw new Refusal({
    status: 404,
    code: 'not_found',
    type: 'invalid_request_error',
    message: `${id}: no such prediction`,
  });
}

function replyRecord(exchange: Exchange, services: Services, task: PredictionTask): Response {
  return replyJson(exchange, toRecord(exchange, task, getPredictions(services).progressOf(task)));
}
