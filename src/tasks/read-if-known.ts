import { GatewayError } from '../errors.ts';
import type { Json } from '../lib/json.ts';

/** A read's reply, or undefined where the gateway answers that there is nothing (HTTP 404, 410). */
export async function readIfKnown(read: () => Promise<Json>): Promise<Json | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GatewayError && (error.status === 404 || error.status === 410)) return undefined;
    throw error;
  }
}
