import { describe, expect, test } from 'vitest';
import { readError, startSandbox } from '../support.ts';
import { families, type Reading } from './families.ts';
import { animationInput, animationRequest, createClient, createTime, type Prediction } from './support.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });

describe.each(families)(
  '$name',
  ({ path, toBody, toReadUrl, words, read: readWith, form, unheard = 'simmering' }) => {
    const client = createClient(sandbox, sandbox.apiKey, form);
    const read = (url: string): Promise<Reading> => readWith(client, url);
    const begin = async (prompt: string): Promise<string> =>
      toReadUrl(await client.create(path, toBody(prompt)));

    test('fault:failed fails after a while, with a reason', async () => {
      const url = await begin('a cat fault:failed');
      time.advance(5);
      expect(await read(url)).toMatchObject({ status: words.running, reason: '' });
      time.advance(1);
      const reading = await read(url);
      expect(reading).toMatchObject({ status: words.failed, hasResult: false });
      expect(reading.reason).not.toBe('');
    });

    test('fault:stuck never ends', async () => {
      const url = await begin('fault:stuck');
      time.advance(1_000_000);
      expect(await read(url)).toMatchObject({ status: words.running, hasResult: false });
    });

    test('fault:unknown-status shows an unknown status until the end', async () => {
      const url = await begin('fault:unknown-status');
      time.advance(5);
      expect(await read(url)).toMatchObject({ status: unheard, hasResult: false });
      time.advance(5);
      expect(await read(url)).toMatchObject({ hasResult: true });
    });

    test('fault:contradict shows success before there is a result', async () => {
      const url = await begin('fault:contradict');
      time.advance(5);
      expect(await read(url)).toMatchObject({ status: words.succeeded, hasResult: false });
      time.advance(5);
      expect(await read(url)).toMatchObject({ hasResult: true });
    });

    test('fault:contradict-late shows a result without success', async () => {
      const url = await begin('fault:contradict-late');
      time.advance(50);
      expect(await read(url)).toMatchObject({ status: words.running, hasResult: true });
    });

    test('fault:flaky-read fails every second read with 503', async () => {
      const url = await begin('fault:flaky-read');
      await read(url);
      await expect(read(url)).rejects.toThrow('503');
      await read(url);
      await expect(read(url)).rejects.toThrow('503');
    });

    test('fault:refused-read fails every read with 401', async () => {
      const url = await begin('fault:refused-read');
      await expect(read(url)).rejects.toThrow('401');
      time.advance(50);
      await expect(read(url)).rejects.toThrow('401');
    });

    test('fault:unfinished-read fails reads with 400 until the task ends', async () => {
      const url = await begin('fault:unfinished-read');
      time.advance(5);
      await expect(read(url)).rejects.toThrow('400 {"detail":"Request is still in progress"}');
      time.advance(5);
      expect(await read(url)).toMatchObject({ hasResult: true });
    });

    test('fault:refused is 400 and costs nothing', async () => {
      const response = await client.post(path, toBody('fault:refused'));
      expect(await readError(response)).toMatchObject({ status: 400, code: 'content_policy_violation' });
    });

    test('fault:rate-limit is 429 with Retry-After', async () => {
      const response = await client.post(path, toBody('fault:rate-limit'));
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    });

    test('fault:empty-401 is 401 without a body', async () => {
      const response = await client.post(path, toBody('fault:empty-401'));
      expect([response.status, await response.text()]).toEqual([401, '']);
    });

    test('fault:html-502 is 502 with an HTML page', async () => {
      const response = await client.post(path, toBody('fault:html-502'));
      expect(response.headers.get('content-type')).toContain('text/html');
      expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('<h1>')]);
    });

    test('fault:cut loses the connection before the reply and is charged', async () => {
      const before = sandbox.findToken(sandbox.apiKey)?.usedQuota ?? 0;
      await expect(client.post(path, toBody('fault:cut'))).rejects.toThrow('fetch failed');
      expect(sandbox.findToken(sandbox.apiKey)?.usedQuota).toBeGreaterThan(before);
    });

    test('other words after fault: are ignored', async () => {
      expect((await client.post(path, toBody('the fault:line of default:failed'))).status).toBe(200);
    });
  },
);

test.each(['slow', 'slow-read'])('fault:%s takes three seconds in every family', async (word) => {
  const times = families.map(async ({ path, toBody, toReadUrl, read, form }) => {
    const client = createClient(sandbox, sandbox.apiKey, form);
    const startedAt = performance.now();
    const url = toReadUrl(await client.create(path, toBody(`fault:${word}`)));
    const createdAt = performance.now();
    await read(client, url);
    return { create: createdAt - startedAt, read: performance.now() - createdAt };
  });
  for (const { create, read } of await Promise.all(times)) {
    expect((word === 'slow' ? create : read) > 2900).toBe(true);
    expect((word === 'slow' ? read : create) < 2900).toBe(true);
  }
});

describe('if tasks take no time', () => {
  const instant = startSandbox({ taskSeconds: 0 });

  test.each(['unknown-status', 'contradict'])('fault:%s shows in the first read', async (word) => {
    const quick = createClient(await instant);
    const { urls } = await quick.create<Prediction>('/hosta/v1/predictions', {
      ...animationRequest,
      input: { ...animationInput, prompt_end: `fault:${word}` },
    });
    const first = await quick.read<Prediction>(urls.get);
    expect(first).toMatchObject({ status: word === 'contradict' ? 'succeeded' : 'simmering', output: null });
    expect((await quick.read<Prediction>(urls.get)).output).not.toBeNull();
  });
});
