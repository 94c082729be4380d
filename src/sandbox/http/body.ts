import type { IncomingMessage } from 'node:http';
import { invalidRequest, Refusal } from './errors.ts';

/** Image and audio data travel inside JSON bodies, hence the room. */
export const maxBodyBytes = 32 * 1024 * 1024;

/** Reads a request's body as text. Refuses one that is too large (413), compressed, or not UTF-8 (400). */
export async function readBodyText(incoming: IncomingMessage): Promise<string> {
  const encoding = incoming.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalidRequest('Content-Encoding: the body must not be compressed');
  }
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const bytes = await readBytes(incoming);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('the body is not valid UTF-8');
  }
}

function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBodyBytes) settle(() => reject(tooLarge()));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const onClose = (): void => settle(() => reject(new ClientLeft()));
    const settle = (act: () => void): void => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      // A late error of a connection that is already given up has nobody to tell.
      incoming.on('error', () => {});
      act();
    };
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    if (incoming.destroyed) onClose();
  });
}

/** The connection ended before the request was complete: there is nobody to answer. */
export class ClientLeft extends Error {
  constructor() {
    super('The client left before its request was complete');
    this.name = 'ClientLeft';
  }
}

function tooLarge(): Refusal {
  return new Refusal({
    status: 413,
    code: 'body_too_large',
    type: 'invalid_request_error',
    message: `The request body is larger than ${maxBodyBytes} bytes`,
    // The rest of the body is not worth reading.
    headers: { connection: 'close' },
  });
}
