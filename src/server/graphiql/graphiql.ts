import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { assetHeaders, createPageFiles, type PageFile, pageHeaders } from '../sending/page-files.ts';
import type { GraphiQLIndex, GraphiQLPageOptions } from './graphiql-page.ts';

type GraphiQLOptions = Omit<GraphiQLPageOptions, 'index'>;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Serves the GraphiQL page, and its built assets under `/graphiql/`. The directory is read at the first request. */
export function createGraphiQL(directory: string, options: GraphiQLOptions) {
  const serve = createPageFiles({
    load: () => readFiles(directory, options),
    advice: 'Reload the page /graphql.',
  });
  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serve(request.url?.split('?')[0] ?? '', request, response);
}

async function readFiles(
  directory: string,
  options: GraphiQLOptions,
): Promise<ReadonlyMap<string, PageFile>> {
  const { renderGraphiQL } = await import('./graphiql-page.ts');
  // Written by the build.
  const index = JSON.parse(await readFile(join(directory, 'index.json'), 'utf8')) as GraphiQLIndex;
  const { text, contentSecurityPolicy } = renderGraphiQL({ ...options, index });
  const page: PageFile = {
    body: Buffer.from(text),
    headers: ({ headers }) => pageHeaders(contentSecurityPolicy(headers.host)),
  };
  const assets = (await readdir(directory)).map((file) => readAsset(directory, file));
  return new Map([['/graphql', page], ...(await Promise.all(assets))]);
}

async function readAsset(directory: string, file: string): Promise<readonly [string, PageFile]> {
  const name = file.replace(/\.br$/, '');
  const headers = assetHeaders(contentTypes[extname(name)] ?? 'text/plain; charset=utf-8');
  const body = await readFile(join(directory, file));
  return [`/graphiql/${name}`, { body, encoding: name === file ? 'none' : 'br', headers: () => headers }];
}
