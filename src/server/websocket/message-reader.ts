import type { Pauses } from '../../lib/pauses.ts';
import { RequestError } from '../../errors.ts';
import { isRecord } from '../../lib/json.ts';
import { parseExactMessage, type WebSocketMessage } from '../operation/exact-integers.ts';
import { decodeLargeRequest, isLargeRequest, parseLargeRequest } from '../operation/parse-request.ts';

/** Parses the messages of one WebSocket. Keeps their order, although large messages are parsed in pieces. */
export interface MessageReader {
  /** Calls back with undefined if the message is refused. */
  read(data: Buffer, onMessage: (message: WebSocketMessage | undefined) => void): void;
}

/** A text for which graphql-ws closes the socket. */
const malformed = '';

export function createMessageReader(pauses: Pauses, onRefused: (error: unknown) => void): MessageReader {
  return new OrderedReader(pauses, onRefused);
}

/** A class, as everything that each socket holds: closures take more memory. */
class OrderedReader implements MessageReader {
  readonly #pauses: Pauses;
  readonly #onRefused: (error: unknown) => void;
  #waiting = 0;
  /** Absent while no message waits. */
  #last: Promise<void> | undefined;

  constructor(pauses: Pauses, onRefused: (error: unknown) => void) {
    this.#pauses = pauses;
    this.#onRefused = onRefused;
  }

  read(data: Buffer, onMessage: (message: WebSocketMessage | undefined) => void): void {
    if (this.#waiting === 0 && !isLargeRequest(data)) {
      onMessage(parseExactMessage(data.toString('utf8')));
      return;
    }
    this.#waiting += 1;
    // Nothing holds the bytes while their text is parsed, nor the text while the message is handled.
    this.#last = (this.#last ?? Promise.resolve())
      .then(() => (isLargeRequest(data) ? decodeLargeRequest(data, this.#pauses) : data.toString('utf8')))
      .then((text) => (isLargeRequest(text) ? this.#parse(text) : parseExactMessage(text)))
      .then((message) => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#last = undefined;
        onMessage(message);
      });
  }

  async #parse(text: string): Promise<WebSocketMessage | undefined> {
    try {
      const message = await parseLargeRequest(text, this.#pauses);
      return isRecord(message) ? message : malformed;
    } catch (error) {
      if (!(error instanceof RequestError)) return malformed;
      this.#onRefused(error);
      return undefined;
    }
  }
}
