import type { IncomingMessage, ServerResponse } from 'node:http';
import { assetHeaders, createPageFiles, type PageFile, pageHeaders } from '../sending/page-files.ts';
import type { GraphiQLOptions } from './graphiql-page.ts';

/** Serves the GraphiQL page, and its assets under `/graphiql/`. All files are created on first use. */
export function createGraphiQL(options: GraphiQLOptions) {
  const serve = createPageFiles({
    load: () => createFiles(options),
    advice: 'Reload the page /graphql.',
  });
  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serve(request.url?.split('?')[0] ?? '', request, response);
}

async function createFiles(options: GraphiQLOptions): Promise<ReadonlyMap<string, PageFile>> {
  const { renderGraphiQL } = await import('./graphiql-page.ts');
  const { page, assets, contentSecurityPolicy } = await renderGraphiQL(options);
  return new Map<string, PageFile>([
    [
      page.path,
      {
        body: Buffer.from(page.text),
        headers: ({ headers }) => pageHeaders(contentSecurityPolicy(headers.host)),
      },
    ],
    ...assets.map(
      ({ path, type, text }) =>
        [path, { body: Buffer.from(text), headers: () => assetHeaders(type) }] as const,
    ),
  ]);
}
