import type { IncomingMessage } from 'node:http';
import { invalidRequest, Refusal } from './errors.ts';

/** Image and audio data travel inside JSON bodies. */
const maxBodyBytes = 32 * 1024 * 1024;

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

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Keep the connection open after a body that is too large: the refusal is sent over it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBodyBytes) break;
    }
  } catch {
    throw new ClientLeft('The client left before its request was complete');
  }
  if (size > maxBodyBytes) throw tooLarge();
  return Buffer.concat(chunks);
}

/** The connection ended before the request was complete: nobody receives an answer. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
}

function tooLarge(): Refusal {
  return new Refusal({
    status: 413,
    code: 'body_too_large',
    type: 'invalid_request_error',
    message: `The request body is larger than ${maxBodyBytes} bytes`,
    // The rest of the body stays unread.
    headers: { connection: 'close' },
  });
}
