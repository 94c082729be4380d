import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, compress, type Encoding } from '../../lib/compress.ts';

/** A file of a page that this server shows to people. */
export interface PageFile {
  readonly body: Buffer;
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

/** Serves the files of a page. Each is compressed at its first request. */
export function createPageFiles({ load, advice }: PageFilesOptions) {
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
  const compressed = new Map<string, Promise<Buffer>>();
  const encode = (path: string, { body }: PageFile, encoding: Encoding): Promise<Buffer> => {
    const name = `${encoding} ${path}`;
    const known = compressed.get(name) ?? compress(body, encoding);
    compressed.set(name, known);
    return known;
  };
  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    files ??= load();
    const file = (await files).get(path);
    if (!file || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(file ? 405 : 404, { 'content-type': 'text/plain' }).end(advice);
      return;
    }
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const body = encoding ? await encode(path, file, encoding) : file.body;
    response.writeHead(200, {
      ...file.headers(request),
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': body.length,
      'x-content-type-options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}
