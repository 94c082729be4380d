import { type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { chooseEncoding, type Compressor, isCompressible } from '../../lib/compress.ts';
import { joinBuffers } from '../../lib/add-piece.ts';

interface Held {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly pieces: Buffer[];
}

/** Compresses JSON answers of a known length, if they are large and the client accepts it. Others are sent as they are. */
export class CompressingResponse extends ServerResponse {
  #held: Held | undefined;
  #compressor: Compressor | undefined;

  /** Call before the first write. Without it, nothing is compressed. */
  protected compressWith(compressor: Compressor): void {
    this.#compressor = compressor;
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const headers = rest.at(-1);
    if (isHeaders(headers) && isLargeJson(headers)) this.#varyByEncoding();
    if (isHeaders(headers) && this.#mayCompress(headers)) {
      this.#held = { status, headers, pieces: [] };
      return this;
    }
    Reflect.apply(super.writeHead, this, [status, ...rest]);
    return this;
  }

  override write(body: unknown, ...rest: unknown[]): boolean {
    if (!this.#held) return Reflect.apply(super.write, this, [body, ...rest]);
    this.#held.pieces.push(toBuffer(body));
    return true;
  }

  override end(...args: unknown[]): this {
    const held = this.#held;
    if (!held) {
      Reflect.apply(super.end, this, args);
      return this;
    }
    this.#held = undefined;
    if (args[0] !== null && args[0] !== undefined) held.pieces.push(toBuffer(args[0]));
    void this.#sendCompressed(held);
    return this;
  }

  #mayCompress(headers: OutgoingHttpHeaders): boolean {
    return (
      isLargeJson(headers) &&
      this.#compressor?.hasRoom(sizeOf(headers)) === true &&
      chooseEncoding(this.req.headers['accept-encoding']) !== undefined
    );
  }

  /** A cache must not give a compressed answer to a client that accepts none. */
  #varyByEncoding(): void {
    const known = this.getHeader('vary');
    this.setHeader('vary', known === undefined ? 'accept-encoding' : `${String(known)}, accept-encoding`);
  }

  /** Never rejects. An answer that cannot be compressed now is sent plain. */
  async #sendCompressed({ status, headers, pieces }: Held): Promise<void> {
    const plain = joinBuffers(pieces);
    const encoding = chooseEncoding(this.req.headers['accept-encoding']);
    const content = encoding && (await this.#compressor?.compress(plain, encoding)?.catch(() => undefined));
    if (this.destroyed) return;
    if (content) {
      const length = { 'content-length': content.length, 'content-encoding': encoding };
      super.writeHead(status, { ...headers, ...length });
    } else super.writeHead(status, headers);
    this.write(content ?? plain);
    super.end();
  }
}

function isHeaders(value: unknown): value is OutgoingHttpHeaders {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the answer is compressed for some clients. */
function isLargeJson(headers: OutgoingHttpHeaders): boolean {
  const type = headers['Content-Type'];
  return (
    typeof type === 'string' &&
    /^application\/(graphql-response\+)?json/.test(type) &&
    isCompressible(sizeOf(headers))
  );
}

function sizeOf(headers: OutgoingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0);
}

function toBuffer(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body instanceof Uint8Array ? body : String(body));
}
