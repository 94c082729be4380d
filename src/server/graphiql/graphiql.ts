import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, compress, type Encoding } from '../../lib/compress.ts';
import type { EditorFile, GraphiQLOptions } from './graphiql-page.ts';

interface Served {
  headers(request: IncomingMessage): Readonly<Record<string, string>>;
  /** Compresses on first use and caches the result. */
  encode(encoding: Encoding | 'identity'): Promise<Buffer>;
}

/** Serves the GraphiQL page, and its assets under `/graphiql/`. All files are created on first use. */
export function createGraphiQL(options: GraphiQLOptions) {
  let files: Promise<ReadonlyMap<string, Served>> | undefined;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    files ??= createFiles(options);
    const path = request.url?.split('?')[0] ?? '';
    const file = (await files).get(path);
    if (!file || !['GET', 'HEAD'].includes(request.method ?? '')) {
      // The path belongs to another version: the page was loaded before an update.
      response.writeHead(file ? 405 : 404, { 'content-type': 'text/plain' }).end('Reload the page /graphql.');
      return;
    }
    const encoding = chooseEncoding(request.headers['accept-encoding']) ?? 'identity';
    const body = await file.encode(encoding);
    response.writeHead(200, {
      ...file.headers(request),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      'content-length': body.length,
      'x-content-type-options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

async function createFiles(options: GraphiQLOptions): Promise<ReadonlyMap<string, Served>> {
  const { renderGraphiQL } = await import('./graphiql-page.ts');
  const { page, assets, contentSecurityPolicy } = await renderGraphiQL(options);
  const pageHeaders = ({ headers }: IncomingMessage) => ({
    'content-type': page.type,
    'cache-control': 'no-cache',
    vary: 'accept, accept-encoding',
    'content-security-policy': contentSecurityPolicy(headers.host),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  const assetHeaders = (asset: EditorFile) => () => ({
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    // Workers have their own policy.
    'content-security-policy': "default-src 'none'",
    vary: 'accept-encoding',
  });
  return new Map([
    [page.path, serve(page, pageHeaders)],
    ...assets.map((asset) => [asset.path, serve(asset, assetHeaders(asset))] as const),
  ]);
}

function serve({ text }: EditorFile, headers: Served['headers']): Served {
  const plain = Buffer.from(text, 'utf8');
  const bodies = new Map<Encoding, Promise<Buffer>>();
  return {
    headers,
    encode(encoding) {
      if (encoding === 'identity') return Promise.resolve(plain);
      const body = bodies.get(encoding) ?? compress(plain, encoding);
      bodies.set(encoding, body);
      return body;
    },
  };
}
