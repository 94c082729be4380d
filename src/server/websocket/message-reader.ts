import { isUtf8 } from 'node:buffer';
import { RequestError } from '../../errors.ts';
import { isLargeRequest, parseLargeRequest, prepareSmallRequest } from '../operation/parse-request.ts';

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
      onMessage(this.#parseSmall(data));
      return;
    }
    this.#waiting += 1;
    // Nothing holds the bytes while the message is handled.
    this.#last = (this.#last ?? Promise.resolve())
      .then(() => (isLargeRequest([data]) ? this.#parseLarge([data]) : this.#parseSmall(data)))
      .then((message) => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#last = undefined;
        onMessage(message);
      });
  }

  async #parseLarge(body: Buffer[]): Promise<unknown> {
    try {
      return await parseLargeRequest(body);
    } catch (error) {
      return this.#withoutMessage(error);
    }
  }

  /** `ws` checks the encoding of text, not that of binary messages. */
  #parseSmall(data: Buffer): unknown {
    if (!isUtf8(data)) return undefined;
    try {
      return prepareSmallRequest(data.toString('utf8'))();
    } catch (error) {
      return this.#withoutMessage(error);
    }
  }

  #withoutMessage(error: unknown): typeof refused | undefined {
    if (!(error instanceof RequestError)) return undefined;
    this.#onRefused(error);
    return refused;
  }
}
