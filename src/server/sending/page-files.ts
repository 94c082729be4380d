import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { chooseEncoding, compress, type Encoding } from '../../lib/compress.ts';

/** A file of a page that this server shows to people. */
export interface PageFile {
  readonly body: Buffer;
  /** `br`: the build has compressed the body. `none`: compressing it saves nothing. @default it is compressed when asked for */
  readonly encoding?: 'br' | 'none';
  headers(request: IncomingMessage): Readonly<Record<string, string>>;
}

export interface PageFilesOptions {
  /** The files by path. Called at the first request. */
  readonly load: () => Promise<ReadonlyMap<string, PageFile>>;
  /** What a person should do about an unknown path, which may belong to another version of the page. */
  readonly advice: string;
}

/** Headers of a page. It is never shown inside another one. */
export function pageHeaders(contentSecurityPolicy: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept, accept-encoding',
    'content-security-policy': contentSecurityPolicy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  };
}

/** Headers of a file whose name changes with its content. */
export function assetHeaders(contentType: string): Readonly<Record<string, string>> {
  return {
    'content-type': contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    // Workers have a policy of their own.
    'content-security-policy': "default-src 'none'",
    vary: 'accept-encoding',
  };
}

/** Serves the files of a page. What the build has not compressed is compressed at its first request, and the reverse. */
export function createPageFiles({ load, advice }: PageFilesOptions) {
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
  const encoded = new Map<string, Promise<Buffer>>();
  const encode = (path: string, file: PageFile, encoding: Encoding | undefined): Promise<Buffer> => {
    const name = `${encoding} ${path}`;
    const create = (): Promise<Buffer> =>
      encoding ? encode(path, file, undefined).then((plain) => compress(plain, encoding)) : readPlain(file);
    const known = encoded.get(name) ?? create();
    encoded.set(name, known);
    return known;
  };
  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // After a failure, such as too many open files, the next request reads them again.
    files ??= load().catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    const file = (await files).get(path);
    if (!file || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(file ? 405 : 404, { 'content-type': 'text/plain' }).end(advice);
      return;
    }
    const accepted = chooseEncoding(request.headers['accept-encoding']);
    const encoding = file.encoding === 'none' ? undefined : accepted;
    const isReady = file.encoding !== undefined && file.encoding === (encoding ?? 'none');
    const body = await (isReady ? file.body : encode(path, file, encoding));
    response.writeHead(200, {
      ...file.headers(request),
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': body.length,
      'x-content-type-options': 'nosniff',
    });
    // Only what is written counts as unsent, so that a client that does not read it is disconnected.
    if (request.method !== 'HEAD') response.write(body);
    response.end();
  };
}

async function readPlain({ body, encoding }: PageFile): Promise<Buffer> {
  return encoding === 'br' ? promisify(brotliDecompress)(body) : body;
}
