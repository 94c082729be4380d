import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createKey, parseEvents, startSandbox } from '../support.ts';
import { createTime, download, startOfTime } from '../tasks/support.ts';
import { createImageClient, decodeBase64, modelA } from './support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const { post, stream } = createImageClient(sandbox);
const group = { prompt: '3 pictures of a fox', size: '1K', sequential_image_generation: 'auto' };

describe('a stream of images', () => {
  test('has an event for each image, one for the end, and [DONE]', async () => {
    const { events, isDone } = await stream(group);
    expect(isDone).toBe(true);
    const created = expect.any(Number);
    const image = (index: number): object => ({
      event: 'image_generation.partial_succeeded',
      data: {
        type: 'image_generation.partial_succeeded',
        model: modelA,
        created,
        image_index: index,
        url: expect.stringContaining('/assets/media/'),
        size: '1024x1024',
      },
    });
    const end = {
      event: 'image_generation.completed',
      data: {
        type: 'image_generation.completed',
        model: modelA,
        created,
        usage: {
          prompt_tokens: 5,
          completion_tokens: 3 * 4096,
          total_tokens: 3 * 4096 + 5,
          output_tokens: 3 * 4096,
          prompt_tokens_details: { cached_tokens_details: {} },
          completion_tokens_details: {},
        },
      },
    };
    expect(events).toEqual([image(0), image(1), image(2), end]);
    expect(await sharp(await download(events[2]?.data.url ?? '')).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1024,
    });
  });

  test('consists of server-sent events for a single image too', async () => {
    const response = await post({ prompt: 'a fox', stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(parseEvents(await response.text()).map(({ event }) => event)).toEqual([
      'image_generation.partial_succeeded',
      'image_generation.completed',
      undefined,
    ]);
  });

  test('carries base64 data on request', async () => {
    const { events } = await stream({ ...group, prompt: '2 pictures', response_format: 'b64_json' });
    for (const { data } of events.slice(0, 2)) {
      expect(data).not.toHaveProperty('url');
      const bytes = decodeBase64(data.b64_json);
      expect((await sharp(bytes, { failOn: 'warning' }).stats()).entropy).toBeGreaterThan(2);
    }
  });

  test('is charged image by image', async () => {
    const key = await createKey(sandbox, { remain_quota: 40_000 });
    await createImageClient(sandbox, key).stream(group);
    expect(sandbox.findToken(key)).toMatchObject({ usedQuota: 37_500 });
  });
});

describe('if work takes time', () => {
  const time = createTime();
  let onRead = (): void => {};
  const clock = (): number => {
    onRead();
    return time.clock();
  };
  const waitForClockRead = (): Promise<void> =>
    new Promise((resolve) => {
      onRead = resolve;
    });
  const slow = startSandbox({ clock, taskSeconds: 8 });

  /** The text of a stream so far. */
  function follow(response: Response): (count: number) => Promise<string[]> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return async (count) => {
      for (;;) {
        const events = parseEvents(text).map(({ event = '[DONE]' }) => event);
        if (events.length >= count) return events;
        const next = await reader?.read();
        if (!next || next.done) return events;
        text += next.value;
      }
    };
  }

  test('the images arrive one after another', async () => {
    const client = createImageClient(await slow);
    const key = (await slow).apiKey;
    const before = (await slow).findToken(key)?.usedQuota ?? 0;
    const paid = async (): Promise<number> => ((await slow).findToken(key)?.usedQuota ?? 0) - before;
    const next = follow(await client.post({ ...group, stream: true }));
    expect(await paid()).toBe(0);
    time.advance(2);
    expect(await next(1)).toEqual(['image_generation.partial_succeeded']);
    expect(await paid()).toBe(12_500);
    time.advance(2);
    expect(await next(2)).toHaveLength(2);
    expect(await paid()).toBe(25_000);
    time.advance(2);
    expect((await next(5)).slice(2)).toEqual([
      'image_generation.partial_succeeded',
      'image_generation.completed',
      '[DONE]',
    ]);
  });

  test('an event has the time of its image', async () => {
    const client = createImageClient(await slow);
    const start = time.clock();
    const response = await client.post({ ...group, prompt: 'two pictures', stream: true });
    const next = follow(response.clone());
    time.advance(2);
    await next(1);
    time.advance(2);
    const events = parseEvents(await response.text()).filter(({ event }) => event !== undefined);
    const dates = events.map(({ data }) => (JSON.parse(data) as { created: number }).created);
    expect(dates.map((date) => date - start / 1000)).toEqual([2, 4, 4]);
    expect(start).toBeGreaterThanOrEqual(startOfTime);
  });

  test('a client that disconnects pays for the images that it received', async () => {
    const key = await createKey(await slow, { remain_quota: 100_000 });
    const leave = new AbortController();
    const response = await createImageClient(await slow, key).post({ ...group, stream: true }, leave.signal);
    const next = follow(response);
    time.advance(2);
    await next(1);
    leave.abort();
    await (await slow).activity.waitUntilIdle();
    expect((await slow).findToken(key)).toMatchObject({ usedQuota: 12_500 });
    expect((await slow).activity.requests().at(-1)?.state).toBe('aborted');
  });

  test('a whole reply waits for all of its images', async () => {
    const key = await createKey(await slow, { remain_quota: 100_000 });
    const waiting = createImageClient(await slow, key).make(group);
    // The first read of the clock starts the work.
    await waitForClockRead();
    time.advance(5.9);
    await waitForClockRead();
    expect((await slow).activity.open).toBe(1);
    time.advance(0.1);
    expect(await waiting).toHaveProperty('data.length', 3);
    expect((await slow).findToken(key)).toMatchObject({ usedQuota: 37_500 });
  });

  test('a whole reply costs nothing if the client disconnects', async () => {
    const key = await createKey(await slow, { remain_quota: 100_000 });
    const leave = new AbortController();
    const left = createImageClient(await slow, key).post(group, leave.signal);
    await waitForClockRead();
    leave.abort();
    await expect(left).rejects.toThrow('abort');
    await (await slow).activity.waitUntilIdle();
    time.advance(10);
    expect((await slow).findToken(key)).toMatchObject({ usedQuota: 0 });
  });
});
