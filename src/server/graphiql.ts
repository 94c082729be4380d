import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { GraphiQLTab } from './graphiql-tabs.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

interface Page {
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** Serves the editor. Its page needs nothing from elsewhere; it is rendered and compressed at its first use. */
export function createGraphiQLPage(options: { readonly tabs: readonly GraphiQLTab[] }) {
  let page: Promise<Page> | undefined;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    page ??= renderPage(options.tabs);
    const { etag, ...bodies } = await page;
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept, accept-encoding',
      etag,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    };
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
    const body = bodies[encoding ?? 'plain'];
    response.writeHead(200, {
      ...headers,
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': body.length,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

async function renderPage(tabs: readonly GraphiQLTab[]): Promise<Page> {
  // 9 MB of source: only a server whose editor is opened pays for it.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const [first] = tabs;
  const html = renderGraphiQL({
    title: 'Gengraph',
    endpoint: '/graphql',
    subscriptionsProtocol: 'WS',
    defaultTabs: tabs.map(({ query, variables, headers }) => ({
      query,
      variables: toText(variables),
      headers: toText(headers) ?? null,
    })),
    ...(first?.headers && { defaultHeaders: toText(first.headers) ?? '{}' }),
  });
  const plain = Buffer.from(html, 'utf8');
  const [br, zipped] = await Promise.all([
    // The best quality takes 20 times as long for a tenth less.
    brotliAsync(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    gzipAsync(plain, { level: 6 }),
  ]);
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    br,
    gzip: zipped,
  };
}

function toText(value: Readonly<Record<string, unknown>> | undefined): string | null {
  return value ? JSON.stringify(value, null, 2) : null;
}
