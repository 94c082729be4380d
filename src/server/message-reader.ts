import type { Pauses } from '../lib/pauses.ts';
import { RequestError } from '../errors.ts';
import { isRecord } from '../lib/json.ts';
import { parseExactMessage, type WebSocketMessage } from './exact-integers.ts';
import { isLargeRequest, parseLargeRequest } from './parse-request.ts';

/** Parses one message of a WebSocket. Calls back with undefined if the message is refused. */
export type MessageReader = (
  data: Buffer,
  onMessage: (message: WebSocketMessage | undefined) => void,
) => void;

/** A text for which graphql-ws closes the socket. */
const malformed = '';

/** Parses the messages of one WebSocket. Keeps their order, although large messages are parsed in pieces. */
export function createMessageReader(pauses: Pauses, onRefused: (error: unknown) => void): MessageReader {
  let waiting = 0;
  let last = Promise.resolve();
  const parse = async (data: Buffer): Promise<WebSocketMessage | undefined> => {
    if (!isLargeRequest(data)) return parseExactMessage(data.toString('utf8'));
    try {
      const message = await parseLargeRequest(data, pauses);
      return isRecord(message) ? message : malformed;
    } catch (error) {
      if (!(error instanceof RequestError)) return malformed;
      onRefused(error);
      return undefined;
    }
  };
  return (data, onMessage) => {
    if (waiting === 0 && !isLargeRequest(data)) {
      onMessage(parseExactMessage(data.toString('utf8')));
      return;
    }
    waiting += 1;
    last = last.then(async () => {
      const message = await parse(data);
      waiting -= 1;
      onMessage(message);
    });
  };
}
