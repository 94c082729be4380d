import { describe, expect, test } from 'vitest';
import { readError, startSandbox } from '../support.ts';
import {
  animationInput,
  animationRequest,
  createClient,
  createTime,
  songRequest,
  type Acknowledgement,
  type Clip,
  type MusicReply,
  type Prediction,
  type QueueResult,
} from './support.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox);

/** What a read of a task shows, in words that all families share. */
interface Reading {
  readonly status: string | undefined;
  readonly hasResult: boolean;
  readonly reason: string;
}

/** Each family, as far as faults go. */
const families = [
  {
    name: '/hostb',
    path: '/hostb/flux-lora',
    toBody: (prompt: string): object => ({ prompt }),
    toReadUrl: (reply: unknown): string => (reply as Acknowledgement).response_url,
    words: { running: 'IN_PROGRESS', failed: 'FAILED', succeeded: 'COMPLETED' },
    async read(url: string): Promise<Reading> {
      const { status, images, error = '' } = await client.read<QueueResult & Acknowledgement>(url);
      return { status, hasResult: images !== undefined, reason: error };
    },
  },
  {
    name: '/hosta',
    path: '/hosta/v1/predictions',
    toBody: (prompt: string): object => ({
      ...animationRequest,
      input: { ...animationInput, prompt_start: prompt },
    }),
    toReadUrl: (reply: unknown): string => (reply as Prediction).urls.get,
    words: { running: 'processing', failed: 'failed', succeeded: 'succeeded' },
    async read(url: string): Promise<Reading> {
      const { status, output, error } = await client.read<Prediction>(url);
      return { status, hasResult: output !== null, reason: error ?? '' };
    },
  },
  {
    name: '/music',
    path: '/music/submit/music',
    toBody: (prompt: string): object => ({ ...songRequest, gpt_description_prompt: prompt }),
    toReadUrl: (reply: unknown): string => (reply as MusicReply<string>).data,
    words: { running: 'IN_PROGRESS', failed: 'FAILURE', succeeded: 'SUCCESS' },
    async read(id: string): Promise<Reading> {
      const [task] = await client.fetchMusic(id);
      const isComplete = (clip: Clip): boolean => clip.status === 'complete' && clip.audio_url !== '';
      const hasResult = task !== undefined && task.data.length === 2 && task.data.every(isComplete);
      return { status: task?.status, hasResult, reason: task?.fail_reason ?? '' };
    },
  },
];

describe.each(families)('$name', ({ path, toBody, toReadUrl, words, read }) => {
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

  test('fault:unknown-status says a word that nobody knows until the end', async () => {
    const url = await begin('fault:unknown-status');
    time.advance(5);
    expect(await read(url)).toMatchObject({ status: 'simmering', hasResult: false });
    time.advance(5);
    expect(await read(url)).toMatchObject({ hasResult: true });
  });

  test('fault:contradict says success before there is a result', async () => {
    const url = await begin('fault:contradict');
    time.advance(5);
    expect(await read(url)).toMatchObject({ status: words.succeeded, hasResult: false });
    time.advance(5);
    expect(await read(url)).toMatchObject({ hasResult: true });
  });

  test('fault:contradict-late has a result that it never calls a success', async () => {
    const url = await begin('fault:contradict-late');
    time.advance(50);
    expect(await read(url)).toMatchObject({ status: words.running, hasResult: true });
  });

  test('fault:flaky-read answers every second read with 503', async () => {
    const url = await begin('fault:flaky-read');
    await read(url);
    await expect(read(url)).rejects.toThrow('503');
    await read(url);
    await expect(read(url)).rejects.toThrow('503');
  });

  test('fault:slow-read answers after three seconds', async () => {
    const url = await begin('fault:slow-read');
    const startedAt = performance.now();
    await read(url);
    expect(performance.now() - startedAt).toBeGreaterThan(2900);
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

  test('fault:cut loses the connection before the reply, and is paid for', async () => {
    const before = sandbox.findToken(sandbox.apiKey)?.usedQuota ?? 0;
    await expect(client.post(path, toBody('fault:cut'))).rejects.toThrow('fetch failed');
    expect(sandbox.findToken(sandbox.apiKey)?.usedQuota).toBeGreaterThan(before);
  });

  test('other words after fault: are just words', async () => {
    expect((await client.post(path, toBody('the fault:line of default:failed'))).status).toBe(200);
  });
});

describe('where tasks take no time', () => {
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
