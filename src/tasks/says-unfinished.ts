import { GatewayError } from '../errors.ts';

/**
 * Whether a failed read only says that the work has not ended. Some gateways answer the read of a result with HTTP 400 and
 * "Request is still in progress" until the result exists.
 */
export function saysUnfinished(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.status === undefined || error.status >= 500) return false;
  return unfinishedWords.test(error.message);
}

const unfinishedWords =
  /\bin[ _-]?progress\b|\b(still|currently) (being )?(queued|pending|processed|processing|running|generating|in queue)\b|\bnot (yet )?(complete|completed|done|finished|ready)\b/i;
