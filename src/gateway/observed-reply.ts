import type { HttpReply } from './http-client.ts';

/** How the body ended: `error` is present if it was cut, too large or refused by its consumer. */
export interface BodyEnd {
  readonly error?: unknown;
}

/** Reports once that the body was read, has failed or was discarded. */
export class ObservedReply implements HttpReply {
  readonly status: number;
  readonly #reply: HttpReply;
  #onEnd: ((end: BodyEnd) => void) | undefined;

  constructor(reply: HttpReply, onEnd: (end: BodyEnd) => void) {
    this.status = reply.status;
    this.#reply = reply;
    this.#onEnd = onEnd;
  }

  header(name: string): string | undefined {
    return this.#reply.header(name);
  }

  peek(isEnough: (part: Buffer) => boolean): Promise<void> {
    return this.#reply.peek(isEnough);
  }

  consume(onData: (chunk: Buffer) => void): Promise<void> {
    return this.#untilEnd(this.#reply.consume(onData));
  }

  text(maxBytes: number): Promise<string> {
    return this.#untilEnd(this.#reply.text(maxBytes));
  }

  discard(): void {
    this.#reply.discard();
    this.#end({});
  }

  async #untilEnd<Result>(reading: Promise<Result>): Promise<Result> {
    try {
      const result = await reading;
      this.#end({});
      return result;
    } catch (error) {
      this.#end({ error });
      throw error;
    }
  }

  #end(end: BodyEnd): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.(end);
  }
}
