import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawRequest {
  readonly method?: string;
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** A POST of JSON, unless the request says otherwise. Its reply ends the connection. */
export function toBytes(
  path: string,
  { method = 'POST', version = '1.1', headers = {}, body }: RawRequest,
): Buffer {
  const payload =
    Buffer.isBuffer(body) || typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  const all = {
    host: 'server.example',
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(payload.length),
    'x-request-id': 'request-1',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    [value].flat().map((item) => `${name}: ${item}\r\n`),
  );
  const head = `${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), payload]);
}

/** Everything that the server sends until it closes, without the date. */
export function exchangeBytes({ url }: { readonly url: string }, bytes: Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  socket.once('error', reject).once('close', () => resolve(text.replaceAll(/^Date: .*$/gm, 'Date: today')));
  socket.write(bytes);
  return promise;
}
