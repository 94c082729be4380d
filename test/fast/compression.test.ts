import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseEncoding, createCompressor } from '../../src/lib/compress.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { exchangeBytes, toBytes } from '../support/raw-http.ts';

const decompress = { br: brotliDecompressSync, gzip: gunzipSync } as const;

interface ReadReply {
  readonly headers: string;
  readonly body: Buffer;
}

function read(reply: string): ReadReply {
  const end = reply.indexOf('\r\n\r\n');
  return { headers: reply.slice(0, end), body: Buffer.from(reply.slice(end + 4), 'latin1') };
}

describe('large answers', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const introspection = { query: getIntrospectionQuery() };
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
