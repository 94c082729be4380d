import type { JsonText } from '../../lib/json-pieces.ts';

const closingBrace = Buffer.from('}');

/** The beginning of a `next` message of graphql-ws, before its payload. */
export function nextPrefix(id: string): string {
  return `{"id":${JSON.stringify(id)},"type":"next","payload":`;
}

/** A `next` message with a result that is JSON already. */
export function nextMessage(prefix: string, payload: JsonText): JsonText {
  return typeof payload === 'string'
    ? `${prefix}${payload}}`
    : [Buffer.from(prefix), ...payload, closingBrace];
}
