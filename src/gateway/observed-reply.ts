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

  peek(isEnough: (head: Buffer) => boolean): Promise<Buffer> {
    return this.#reply.peek(isEnough);
  }

  async consume(onData: (chunk: Buffer) => void): Promise<void> {
    try {
      await this.#reply.consume(onData);
    } catch (error) {
      this.#end({ error });
      throw error;
    }
    this.#end({});
  }

  async text(maxBytes: number): Promise<string> {
    let text: string;
    try {
      text = await this.#reply.text(maxBytes);
    } catch (error) {
      this.#end({ error });
      throw error;
    }
    this.#end({});
    return text;
  }

  discard(): void {
    this.#reply.discard();
    this.#end({});
  }

  #end(end: BodyEnd): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.(end);
  }
}
