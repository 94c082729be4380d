import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { ExampleOperation } from '../../graphql/capability.ts';
import { assetHeaders, createPageFiles, type PageFile, pageHeaders } from '../sending/page-files.ts';

/** What the page has to know of this server. */
export interface PlaygroundSettings {
  readonly auth: 'passthrough' | 'jwt' | 'both';
  /** Of the sandbox, which anybody may use. Empty if requests need none. */
  readonly apiKey?: string | undefined;
  readonly hasSandbox: boolean;
  readonly hasGraphiQL: boolean;
  /** Variables of a complete operation, by its root field. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface PlaygroundOptions {
  readonly settings: PlaygroundSettings;
  /** Where the files of results are, beside https addresses. @param host the Host header of the request, if it is valid */
  readonly mediaOrigins: (host: string | undefined) => readonly string[];
  /** Where files are uploaded, beside this server. */
  readonly uploadOrigins: readonly string[];
}

const assetsPath = '/playground/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The variables of the operations, such as of `create-image` for the field `createImage`. */
export function toExamples(operations: readonly ExampleOperation[]): PlaygroundSettings['examples'] {
  const toField = (name: string): string =>
    name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(operations.map(({ name, variables }) => [toField(name), variables]));
}

/** Serves the built page at `/`, its views at addresses of their own, and its assets under `/playground/`. */
export function createPlayground(directory: string, options: PlaygroundOptions) {
  const serve = createPageFiles({
    load: () => readFiles(directory, options),
    advice: 'Reload the page.',
  });
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0] ?? '/';
    // All views of one depth are one page.
    return serve(path.startsWith(assetsPath) ? path : depthOf(path), request, response);
  };
}

type Origins = Pick<PlaygroundOptions, 'mediaOrigins' | 'uploadOrigins'>;

async function readFiles(
  directory: string,
  { settings, ...origins }: PlaygroundOptions,
): Promise<ReadonlyMap<string, PageFile>> {
  const text = await readFile(join(directory, 'index.html'), 'utf8');
  // A closing tag inside the text would end it.
  const json = JSON.stringify(settings).replaceAll('<', String.raw`\u003c`);
  const page = text.replace(
    '</head>',
    () => `<script type="application/json" id="settings">${json}</script></head>`,
  );
  const headers: PageFile['headers'] = (request) => pageHeaders(createPolicy(request.headers.host, origins));
  const names = await readdir(join(directory, 'playground'));
  const assets = names.map(async (name): Promise<readonly [string, PageFile]> => {
    const type = contentTypes[extname(name)] ?? 'application/octet-stream';
    const body = await readFile(join(directory, 'playground', name));
    return [assetsPath + name, { body, headers: () => assetHeaders(type) }];
  });
  // Addresses in the page are relative, because a proxy may serve this server below a path.
  const pages = ['./', '../', '../../'].map((base): readonly [string, PageFile] => [
    base,
    { body: Buffer.from(page.replace('<head>', `<head><base href="${base}">`)), headers },
  ]);
  return new Map([...pages, ...(await Promise.all(assets))]);
}

/** The way from a view to the root. A deeper path has no view. */
function depthOf(path: string): string {
  return ['./', './', '../', '../../'][path.split('/').length - 1] ?? path;
}

/** The page holds credentials, so it may connect only to this server, and to the store of its uploads. */
function createPolicy(host: string | undefined, { mediaOrigins, uploadOrigins }: Origins): string {
  // Ignore a Host header that is not a plain host.
  const plain = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? host : undefined;
  // In some browsers 'self' does not cover WebSockets.
  const sockets = plain === undefined ? '' : ` ws://${plain} wss://${plain}`;
  const media = ["'self'", 'https:', 'data:', 'blob:', ...mediaOrigins(plain)].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    ["connect-src 'self'", ...uploadOrigins].join(' ') + sockets,
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
