import { describe, expect, test } from 'vitest';
import { startSandbox } from '../support.ts';
import { createClient, download, type Acknowledgement, type QueueResult } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);
const { response_url: readUrl } = await client.create<Acknowledgement>('/hostb/flux-lora', {
  prompt: 'a fox',
  image_size: 'square',
});
const { images } = await client.read<QueueResult>(readUrl);
const url = images[0]?.url ?? '';
const whole = await download(url);

function get(headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(url, { method, headers });
}

describe('a file', () => {
  test('has its type, length and caching in its headers', async () => {
    const { status, headers } = await get();
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=86400, immutable',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^".+"$/),
    });
  });

  test('answers HEAD without its bytes', async () => {
    const response = await get({}, 'HEAD');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-length')).toBe(String(whole.length));
  });

  test.each<[string, number, number]>([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, whole.length - 1],
    ['bytes=-50', whole.length - 50, whole.length - 1],
    ['bytes=10-99999999', 10, whole.length - 1],
    ['bytes=-99999999', 0, whole.length - 1],
  ])('sends %s', async (range, first, last) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${whole.length}`);
    expect(response.headers.get('content-length')).toBe(String(last - first + 1));
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(whole.subarray(first, last + 1))).toBe(true);
  });

  test.each(['bytes=99999999-', 'bytes=-0'])('cannot send %s', async (range) => {
    const response = await get({ range });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${whole.length}`,
    ]);
  });

  test.each(['bytes=5-2', 'bytes=-', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=x'])(
    'sends the whole file for %s',
    async (range) => {
      expect((await get({ range })).status).toBe(200);
    },
  );

  test('is not sent again to a client that has its ETag', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    const response = await get({ 'if-none-match': etag });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect((await get({ 'if-range': '"other"', range: 'bytes=0-1' })).status).toBe(200);
    expect((await get({ 'if-range': etag, range: 'bytes=0-1' })).status).toBe(206);
  });

  test('is the same for concurrent requests', async () => {
    const copies = await Promise.all([download(url), download(url), download(url)]);
    expect(copies.every((copy) => copy.equals(whole))).toBe(true);
  });

  test('has the same address in every sandbox, so that a restart keeps it', async () => {
    const restarted = await startSandbox();
    const { pathname } = new URL(url);
    expect((await download(`${restarted.url}${pathname}`)).equals(whole)).toBe(true);
  });

  test.each(['nothing.jpg', 'nothing', '..%2f..%2fpackage.json', `${'A'.repeat(5000)}.jpg`])(
    'is 404 under a name that no sandbox wrote: %s',
    async (name) => {
      expect((await fetch(`${sandbox.url}/assets/media/${name}`)).status).toBe(404);
    },
  );

  test('is 404 under a changed name', async () => {
    const { pathname } = new URL(url);
    for (let at = '/assets/media/'.length; at < pathname.indexOf('.'); at += 7) {
      const changed = `${pathname.slice(0, at)}${pathname[at] === 'A' ? 'B' : 'A'}${pathname.slice(at + 1)}`;
      const { status } = await fetch(`${sandbox.url}${changed}`);
      // Another text or number is another picture.
      expect([200, 404]).toContain(status);
    }
    expect((await fetch(`${url}A`)).status).toBe(404);
  });
});
