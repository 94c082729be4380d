import { GatewayError } from '../errors.ts';
import type { Json } from '../lib/json.ts';

/** Returns the reply of a read, or undefined when the gateway answers HTTP 404. */
export async function readIfFound(read: () => Promise<Json>): Promise<Json | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return undefined;
    throw error;
  }
}
