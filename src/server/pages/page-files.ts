import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
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

/** What a page may load. It holds credentials. */
export interface PagePolicy {
  /** Directives of this page. */
  readonly own: readonly string[];
  /** Sources of images, sound and video. @param host the Host header of the request, if it is valid */
  readonly media: (host: string | undefined) => readonly string[];
  /** Where it connects to, beside this server. @default nowhere */
  readonly connect?: readonly string[];
}

/** A page. It is never shown inside another one. */
export function toPage(text: string, { own, media, connect = [] }: PagePolicy): PageFile {
  const policyFor = (host: string | undefined): string => {
    // In some browsers 'self' does not cover WebSockets.
    const sockets = host === undefined ? [] : [`ws://${host}`, `wss://${host}`];
    const sources = media(host).join(' ');
    return [
      "default-src 'none'",
      ...own,
      ["connect-src 'self'", ...connect, ...sockets].join(' '),
      `img-src ${sources}`,
      `media-src ${sources}`,
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  };
  return {
    body: Buffer.from(text),
    headers: ({ headers: { host = '' } }) => ({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept, accept-encoding',
      // Ignore a Host header that is not a plain host.
      'content-security-policy': policyFor(/^[\w.:[\]-]+$/.test(host) ? host : undefined),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    }),
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

interface Assets {
  readonly folder: string;
  /** Where they are served. */
  readonly path: string;
  /** Whether the build has compressed those that are worth it. */
  readonly areCompressed: boolean;
}

/** The files of a folder, whose names change with their content. */
export function readAssets({
  folder,
  path,
  areCompressed,
}: Assets): Promise<(readonly [string, PageFile])[]> {
  const read = async (file: string): Promise<readonly [string, PageFile]> => {
    const name = file.replace(/\.br$/, '');
    const encoding = name === file ? 'none' : 'br';
    const headers = {
      'content-type': contentTypes[extname(name)] ?? 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      // Workers have a policy of their own.
      'content-security-policy': "default-src 'none'",
      vary: 'accept-encoding',
    };
    const body = await readFile(join(folder, file));
    return [path + name, { body, ...(areCompressed && { encoding }), headers: () => headers }];
  };
  return readdir(folder).then((files) => Promise.all(files.map(read)));
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
