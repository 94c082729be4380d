import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createPageFiles, type PageFile, readAssets } from '../page-files.ts';
import type { GraphiQLIndex, GraphiQLPageOptions } from './graphiql-page.ts';

type GraphiQLOptions = Omit<GraphiQLPageOptions, 'index'>;

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
  const page = renderGraphiQL({ ...options, index });
  const assets = await readAssets({ folder: directory, path: '/graphiql/', areCompressed: true });
  return new Map([['/graphql', page], ...assets]);
}
