import { requireBearerKey } from '../access/credentials.ts';
import type { Token } from '../access/tokens.ts';
import type { Exchange, Services } from '../http/routes.ts';

/** No credential is documented for this family: it takes that of the others, and the form that SDKs of queues send. */
export function requireQueueKey(exchange: Exchange, services: Services): Token {
  return requireBearerKey(exchange, services, 'Key');
}
