import { createRandomIds, randomId } from '../../lib/ids.ts';

/** The client's request id if it is safe for logs and gateway headers, else a new one. */
export function requestIdFrom(
  header: string | string[] | undefined,
  create = (): string => randomId('request'),
): string {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) ? header : create();
}

/** `requestIdFrom` for many requests. */
export function createRequestIds(): (header: string | string[] | undefined) => string {
  const create = createRandomIds('request');
  return (header) => requestIdFrom(header, create);
}
