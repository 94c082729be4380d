import { isUtf8 } from 'node:buffer';
import { RequestError } from '../../errors.ts';
import { mayHaveWideIntegers, parseRequestJson } from '../../lib/json.ts';
import { isLargeRequest, parseLargeRequest } from '../operation/parse-request.ts';

export const refused = Symbol('refused');

/**
 * Parses the messages of one WebSocket. Keeps their order, although large messages are parsed in pieces. A class, as everything
 * that each socket holds: closures take more memory.
 */
export class MessageReader {
  readonly #onRefused: (error: unknown) => void;
  #waiting = 0;
  /** Absent while no message waits. */
  #last: Promise<void> | undefined;

  constructor(onRefused: (error: unknown) => void) {
    this.#onRefused = onRefused;
  }

  /** Calls back with undefined if the message is not JSON, and with `refused` if it has too many values. */
  read(data: Buffer, onMessage: (message: unknown) => void): void {
    if (this.#waiting === 0 && !isLargeRequest([data])) {
      onMessage(parseMessage(data));
      return;
    }
    this.#waiting += 1;
    // Nothing holds the bytes while the message is handled.
    this.#last = (this.#last ?? Promise.resolve())
      .then(() => (isLargeRequest([data]) ? this.#parse([data]) : parseMessage(data)))
      .then((message) => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#last = undefined;
        onMessage(message);
      });
  }

  async #parse(body: Buffer[]): Promise<unknown> {
    try {
      return await parseLargeRequest(body);
    } catch (error) {
      if (!(error instanceof RequestError)) return undefined;
      this.#onRefused(error);
      return refused;
    }
  }
}

/** Keeps large integers exact. `ws` checks the encoding of text, not that of binary messages. */
function parseMessage(data: Buffer): unknown {
  if (!isUtf8(data)) return undefined;
  const text = data.toString('utf8');
  try {
    return mayHaveWideIntegers(text) ? parseRequestJson(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}
