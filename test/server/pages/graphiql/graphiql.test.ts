import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApp } from '../../../support/app.ts';
import { startFilesApp, startMedia } from '../../../support/files.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe("GraphiQL's page", () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  let page: Reply;
  beforeAll(async () => {
    app = await startApp();
    page = await get(app.url, html);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('is served to browsers at /graphql, and / redirects to it', async () => {
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body.toString('utf8')).toContain('<title>Gengraph</title>');
    const root = await get(app.app.url, html);
    expect(root.status).toBe(302);
    const location = String(root.headers['location']);
    expect(new URL(location, `${app.app.url}/`).href).toBe(`${app.app.url}/graphql`);
    // Also if a proxy serves it below a path.
    expect(new URL(location, 'https://api.example/ai/').href).toBe('https://api.example/ai/graphql');
  });

  test('is small and loads only immutable assets of this server', async () => {
    expect(page.body.length).toBeLessThan(100_000);
    const paths = assetsOf(page);
    const endings = paths.map((path) => path.replace(/^.*\./, ''));
    expect(endings).toEqual(['woff2', 'woff2', 'woff', 'css', 'js']);
    for (const path of paths) {
      const asset = await get(new URL(path, app.url).href, {});
      expect([asset.status, asset.headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  test.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
  ] as const)('is compressed with %s', async (encoding, accepted, decompress) => {
    for (const path of ['/graphql', ...assetsOf(page)]) {
      const address = new URL(path, app.url).href;
      const plain = await get(address, html);
      const reply = await get(address, { ...html, 'accept-encoding': accepted });
      // Fonts are compressed already.
      const isFont = /\.woff2?$/.test(path);
      expect(reply.headers['content-encoding']).toBe(isFont ? undefined : encoding);
      expect(reply.headers['vary']).toContain('accept-encoding');
      expect((isFont ? reply.body : decompress(reply.body)).equals(plain.body)).toBe(true);
      expect(reply.body.length).toBeLessThanOrEqual(plain.body.length * (isFont ? 1 : 0.34));
    }
  });

  test('is sent as the build has compressed it, so that a first visit waits for no compression', async () => {
    const [script = ''] = assetsOf(page).filter((path) => path.endsWith('.js'));
    const reply = await get(new URL(script, app.url).href, { 'accept-encoding': 'br' });
    expect(reply.body.equals(await readFile(`dist/${script}.br`))).toBe(true);
  });

  test('answers 404 for assets of another version, and 405 for writes', async () => {
    const gone = await get(new URL('/graphiql/earlier.js', app.url).href, {});
    expect([gone.status, gone.body.toString('utf8')]).toEqual([404, 'Reload the page /graphql.']);
    const [path = ''] = assetsOf(page);
    expect((await fetch(new URL(path, app.url), { method: 'POST' })).status).toBe(405);
  });

  test('may show files of https addresses and of the gateway, and run no other code', async () => {
    const policy = String(page.headers['content-security-policy']);
    const files = `https: ${new URL(app.sandbox.url).origin} data:`;
    expect(policy).toContain(`img-src ${files};`);
    expect(policy).toContain(`media-src ${files};`);
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
    expect(policy).toContain("worker-src 'self';");
    const [asset = ''] = assetsOf(page).filter((path) => path.endsWith('.js'));
    const { headers } = await get(new URL(asset, app.url).href, {});
    expect(headers['content-security-policy']).toBe("default-src 'none'");
  });

  test('fits the width of a phone', () => {
    expect(page.body.toString('utf8')).toContain('<meta name="viewport" content="width=device-width');
  });

  test('may connect to its own server only and may not be framed', () => {
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    const { host } = new URL(app.url);
    expect(policy).toContain(`connect-src 'self' ws://${host} wss://${host};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(page.headers['referrer-policy']).toBe('no-referrer');
  });

  test('contains no key unless the gateway is the embedded sandbox', () => {
    const text = page.body.toString('utf8');
    expect(text).toContain('Bearer YOUR_API_KEY');
    expect(text).not.toContain('sk-sandbox');
  });
});

test('the page may show the copies of files, at the address of this server', async () => {
  const app = await startFilesApp();
  const { origin } = new URL(app.url);
  const other = await startFilesApp({ env: { PUBLIC_URL: 'http://files.example/api' } });
  const policies = [app, other].map(async ({ url }) => {
    const { headers } = await get(url, { ...html, host: 'localhost:4000' });
    return String(headers['content-security-policy']);
  });
  const [own = '', named = ''] = await Promise.all(policies);
  expect(own).toMatch(new RegExp(`img-src https: [^;]*${origin} data:;`));
  expect(named).toMatch(/img-src https: [^;]*http:\/\/files\.example data:;/);
});

test('the page may show files at the address where the client of their store finds it', async () => {
  const store = await startMedia((_request, response) => response.end());
  // A setting of that client, like the partition of a region.
  vi.stubEnv('AWS_ENDPOINT_URL_S3', store.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = {
    FILES: 's3',
    FILES_S3_BUCKET: 'media',
    FILES_S3_ACCESS_KEY_ID: 'a',
    FILES_S3_SECRET_ACCESS_KEY: 's',
    FILES_ADDRESSES: 'store',
  };
  const app = await startFilesApp({ env });
  const { headers } = await get(app.url, html);
  expect(headers['content-security-policy']).toMatch(new RegExp(`img-src https: [^;]*${store.url} `));
});

/** The fonts, the style sheet and the script that the page loads. */
function assetsOf({ body }: Reply): readonly string[] {
  return [...body.toString('utf8').matchAll(/(?:href|src)="(graphiql\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The raw response: fetch would follow redirects and decompress. */
function get(url: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.once('error', reject);
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}
