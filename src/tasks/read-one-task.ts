import { GatewayError } from '../errors.ts';
import type { GatewayRequest } from '../gateway/gateway.ts';
import type { Json } from '../lib/json.ts';
import type { TaskCall, TaskReading } from './task-kinds.ts';

/** Reads one task. Undefined if the gateway answers HTTP 404, or with a reply that has no task. */
export async function readOneTask(
  { gateway, caller }: TaskCall,
  request: Omit<GatewayRequest, 'caller'>,
  decode: (reply: Json) => TaskReading | undefined,
): Promise<TaskReading | undefined> {
  let reply: Json;
  try {
    reply = await gateway.read({ ...request, caller });
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return undefined;
    throw error;
  }
  return decode(reply);
}
