import { randomBytes } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseEncoding, createCompressor } from '../../../src/lib/compress.ts';
import { sandboxKey, startApp } from '../../support/app.ts';
import { postJson } from '../../support/http.ts';
import { exchangeBytes, toBytes } from '../../support/raw-http.ts';

const decompress = { br: brotliDecompressSync, gzip: gunzipSync } as const;

interface ReadReply {
  readonly headers: string;
  readonly body: Buffer;
}

function read(reply: string): ReadReply {
  const end = reply.indexOf('\r\n\r\n');
  return { headers: reply.slice(0, end), body: Buffer.from(reply.slice(end + 4), 'latin1') };
}

const introspection = { query: getIntrospectionQuery() };

describe('large answers', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  // The result has errors, so Yoga answers.
  const failing = {
    query: `{ ${Array.from({ length: 90 }, (_, index) => `a${index}: generation(by: {id: "generation_${index}"}) { id }`).join(' ')} task(id: "bad") { id } }`,
  };
  const noCredential = { query: failing.query };

  async function fetchBoth(body: unknown, accept: string, headers: Record<string, string> = sandboxKey) {
    const request = { headers: { ...headers, 'accept-encoding': accept }, body };
    const fast = await exchangeBytes(app, toBytes('/graphql', request));
    expect(await exchangeBytes(app, toBytes('/graphql?yoga', request))).toBe(fast);
    return read(fast);
  }

  test.each(['br', 'gzip'] as const)('are compressed by %s, alike in both ways', async (encoding) => {
    const plain = await fetchBoth(introspection, 'identity');
    expect(plain.headers).not.toMatch(/content-encoding/i);
    const { headers, body } = await fetchBoth(introspection, `deflate, ${encoding};q=0.5`);
    expect(headers).toContain(`content-encoding: ${encoding}`);
    expect(headers).toContain(`content-length: ${body.length}`);
    expect(body.length).toBeLessThan(plain.body.length / 5);
    expect(decompress[encoding](body).equals(plain.body)).toBe(true);
  });

  test('with errors are compressed too', async () => {
    const plain = await fetchBoth(noCredential, 'identity', {});
    expect(plain.body.length).toBeGreaterThan(16_384);
    const { headers, body } = await fetchBoth(noCredential, 'gzip', {});
    expect(headers).toContain('content-encoding: gzip');
    expect(gunzipSync(body).toString()).toBe(plain.body.toString());
  });

  test.each(['', 'identity', 'deflate', 'br;q=0, gzip;q=0.0'])(
    'are plain with Accept-Encoding: %s',
    async (accept) => {
      const { headers } = await fetchBoth(introspection, accept);
      expect(headers).not.toMatch(/content-encoding/i);
    },
  );

  test.each(['br', 'identity'])('vary with Accept-Encoding: %s', async (accept) => {
    const { headers } = await fetchBoth(introspection, accept);
    expect(headers.match(/^vary: .*$/gim)).toEqual(['vary: accept-encoding']);
    const path = `/graphql?query=${encodeURIComponent(introspection.query)}`;
    const request = { method: 'GET', headers: { ...sandboxKey, 'accept-encoding': accept }, body: '' };
    const got = read(await exchangeBytes(app, toBytes(path, request)));
    expect(got.headers.match(/^vary: .*$/gim)).toEqual(['vary: accept-encoding']);
  });

  test('small answers are not compressed', async () => {
    const { headers } = await fetchBoth({ query: '{ __typename }' }, 'br, gzip');
    expect(headers).not.toMatch(/content-encoding/i);
  });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000 ,gzip;q=0', undefined],
  ['brotli, xgzip', undefined],
  ['br;q=0.001', 'br'],
])('Accept-Encoding: %s chooses %s', (accept, encoding) => {
  expect(chooseEncoding(accept)).toBe(encoding);
});

test('a compressed answer to a page of an allowed origin varies with both', async () => {
  await using app = await startApp({ env: { CORS_ORIGINS: 'https://page.example' } });
  const headers = { ...sandboxKey, 'accept-encoding': 'gzip', origin: 'https://page.example' };
  const reply = read(await exchangeBytes(app, toBytes('/graphql', { headers, body: introspection })));
  expect(reply.headers.match(/^(vary|content-encoding): .*$/gim)).toEqual([
    'vary: origin, accept-encoding',
    'content-encoding: gzip',
  ]);
});

test('of large answers at once, only as many are compressed as have room in 4 MB', async () => {
  await using app = await startApp();
  const words = randomBytes(900_000).toString('base64');
  const text = `${words} ${words} ${words}`.slice(0, 3_000_000);
  const create = /* GraphQL */ `
    mutation ($input: ChatInput!) {
      createChatCompletion(input: $input) {
        ... on Generation {
          id
        }
      }
    }
  `;
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text } }] };
  const created = await postJson(app.url, { query: create, variables: { input } }, sandboxKey);
  const [id] = /generation_[\w-]+/.exec(created.text) ?? [];
  const body = { query: `{ generation(by: { id: "${id}" }) { prompt } }` };
  const answer = async (accept: string): Promise<ReadReply> =>
    read(
      await exchangeBytes(
        app,
        toBytes('/graphql', { headers: { ...sandboxKey, 'accept-encoding': accept }, body }),
      ),
    );
  const plain = (await answer('identity')).body;
  expect(plain.length).toBeGreaterThan(3_000_000);
  const checks = (async (): Promise<readonly number[]> => {
    const statuses: number[] = [];
    while (statuses.length < 10) statuses.push((await fetch(new URL('/health/live', app.url))).status);
    return statuses;
  })();
  const replies = await Promise.all(Array.from({ length: 8 }, () => answer('br')));
  const compressed = replies.filter(({ headers }) => headers.includes('content-encoding: br'));
  const others = replies.filter(({ headers }) => !/content-encoding/i.test(headers));
  expect(compressed.length).toBeGreaterThan(0);
  expect(others.length).toBeGreaterThan(0);
  expect(compressed.length + others.length).toBe(replies.length);
  for (const reply of compressed) expect(brotliDecompressSync(reply.body).equals(plain)).toBe(true);
  for (const reply of others) expect(reply.body.equals(plain)).toBe(true);
  expect(new Set(await checks)).toEqual(new Set([200]));
});

test('a compressor starts nothing that would exceed 4 MB in progress', async () => {
  const { compress } = createCompressor();
  const [large, small] = [Buffer.alloc(3_000_000, 'large'), Buffer.alloc(100_000, 'small')];
  const running = compress(large, 'br');
  expect(compress(large, 'br')).toBeUndefined();
  expect(compress(large, 'gzip')).toBeUndefined();
  const beside = compress(small, 'gzip');
  expect(gunzipSync((await beside) ?? '').equals(small)).toBe(true);
  expect(brotliDecompressSync((await running) ?? '').equals(large)).toBe(true);
  expect(brotliDecompressSync((await compress(large, 'br')) ?? '').equals(large)).toBe(true);
});
