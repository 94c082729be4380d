import { describe, expect, test } from 'vitest';
import { createKey, parseEvents, readError, startSandbox } from '../support.ts';
import { createImageClient, type ReplyA } from './support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const { post, make, stream } = createImageClient(sandbox);
const group = { prompt: '3 pictures', size: '1K', sequential_image_generation: 'auto' };

/** Text until the end of the stream, proper or not. */
async function readAll(response: Response): Promise<{ events: string[]; text: string; isCut: boolean }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let isCut = false;
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) text += next.value;
  } catch {
    isCut = true;
  }
  return { text, isCut, events: parseEvents(text).map(({ event = '[DONE]' }) => event) };
}

describe.each([
  ['a whole reply of set A', { ...group }],
  ['a stream of set A', { ...group, stream: true }],
  ['a reply of set B', { model: 'dall-e-2', size: '256x256', prompt: '' }],
])('in place of %s', (_name, request) => {
  const ask = async (word: string): Promise<{ response: Response; paid: () => number | undefined }> => {
    const key = await createKey(sandbox, { remain_quota: 100_000 });
    const prompt = `${request.prompt} fault:${word}`;
    const response = await createImageClient(sandbox, key).post({ ...request, prompt });
    return { response, paid: () => sandbox.findToken(key)?.usedQuota };
  };

  test('fault:refused is 400 and costs nothing', async () => {
    const { response, paid } = await ask('refused');
    expect(await readError(response)).toMatchObject({ status: 400, code: 'content_policy_violation' });
    expect(paid()).toBe(0);
  });

  test('fault:rate-limit is 429 with Retry-After', async () => {
    const { response, paid } = await ask('rate-limit');
    expect([response.status, response.headers.get('retry-after'), paid()]).toEqual([429, '2', 0]);
  });

  test('fault:empty-401 is 401 without a body', async () => {
    const { response, paid } = await ask('empty-401');
    expect([response.status, await response.text(), paid()]).toEqual([401, '', 0]);
  });

  test('fault:html-502 is 502 with an HTML page', async () => {
    const { response, paid } = await ask('html-502');
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(paid()).toBe(0);
  });

  test('fault:cut loses the reply and is charged', async () => {
    const key = await createKey(sandbox, { remain_quota: 100_000 });
    const client = createImageClient(sandbox, key);
    await expect(client.post({ ...request, prompt: `${request.prompt} fault:cut` })).rejects.toThrow(
      'fetch failed',
    );
    expect(sandbox.findToken(key)?.usedQuota).toBe('model' in request ? 12_500 : 37_500);
  });
});

test('fault:slow answers after three seconds', async () => {
  const startedAt = performance.now();
  const prompt = 'a fox fault:slow';
  const responses = await Promise.all([
    post({ prompt }),
    post({ prompt, stream: true }),
    post({ prompt, model: 'dall-e-2' }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(performance.now() - startedAt).toBeGreaterThan(2900);
});

describe('fault:partial', () => {
  const prompt = '3 pictures fault:partial';
  const error = { code: expect.any(String), message: expect.any(String) };

  test('fails the second image of a stream and does not charge it', async () => {
    const key = await createKey(sandbox, { remain_quota: 100_000 });
    const { events, isDone } = await createImageClient(sandbox, key).stream({ ...group, prompt });
    expect(events.map(({ data }) => data.type.replace('image_generation.', ''))).toEqual([
      'partial_succeeded',
      'partial_failed',
      'partial_succeeded',
      'completed',
    ]);
    expect(events[1]).toEqual({
      event: 'image_generation.partial_failed',
      data: {
        type: 'image_generation.partial_failed',
        model: expect.any(String),
        created: expect.any(Number),
        image_index: 1,
        error,
      },
    });
    expect(events.at(-1)?.data.usage?.output_tokens).toBe(2 * 4096);
    expect(isDone).toBe(true);
    expect(sandbox.findToken(key)).toMatchObject({ usedQuota: 25_000 });
  });

  test('fails the only image', async () => {
    const { events } = await stream({ prompt: 'a fox fault:partial' });
    expect(events.map(({ data }) => data.type)).toEqual([
      'image_generation.partial_failed',
      'image_generation.completed',
    ]);
  });

  test('leaves an error in place of the image in a whole reply of set A', async () => {
    const { data, usage } = await make<ReplyA>({ ...group, prompt });
    expect(data).toEqual([{ url: expect.any(String) }, { error }, { url: expect.any(String) }]);
    expect(usage.output_tokens).toBe(2 * 4096);
  });
});

describe('a fault within a stream', () => {
  const ask = (word: string, signal?: AbortSignal): Promise<Response> =>
    post({ ...group, stream: true, prompt: `3 pictures fault:${word}` }, signal);
  const first = 'image_generation.partial_succeeded';

  test('fault:cut-stream loses the connection after the first image', async () => {
    const { events, isCut } = await readAll(await ask('cut-stream'));
    expect([events, isCut]).toEqual([[first], true]);
    await sandbox.activity.waitUntilIdle();
    expect(sandbox.activity.requests().at(-1)).toMatchObject({ state: 'answered', status: 200 });
  });

  test('fault:stalled-stream sends nothing after the first image until the client disconnects', async () => {
    const leave = new AbortController();
    const response = await ask('stalled-stream', leave.signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (parseEvents(text).length < 1) text += (await reader?.read())?.value ?? '';
    expect(sandbox.activity.requests().at(-1)?.state).toBe('open');
    const next = reader?.read().then(
      () => 'more',
      () => 'left',
    );
    leave.abort();
    expect(await next).toBe('left');
    await sandbox.activity.waitUntilIdle();
    expect(sandbox.activity.requests().at(-1)?.state).toBe('aborted');
  });

  test('fault:bare-eof ends cleanly after the first image', async () => {
    const { events, isCut } = await readAll(await ask('bare-eof'));
    expect([events, isCut]).toEqual([[first], false]);
  });

  test('fault:in-band-error ends with an error', async () => {
    const { events, text, isCut } = await readAll(await ask('in-band-error'));
    expect([events, isCut]).toEqual([[first, 'error'], false]);
    expect(JSON.parse(parseEvents(text).at(-1)?.data ?? '')).toEqual({
      type: 'error',
      error: { message: expect.any(String), type: 'upstream_error', code: 'upstream_failed' },
    });
  });

  test('fault:malformed-event sends one event that is not JSON, then continues', async () => {
    const { events, text } = await readAll(await ask('malformed-event'));
    expect(events).toEqual([first, first, first, first, 'image_generation.completed', '[DONE]']);
    expect(() => JSON.parse(parseEvents(text)[1]?.data ?? '')).toThrow(SyntaxError);
  });

  test('has no effect on a whole reply', async () => {
    const { data } = await make<ReplyA>({ ...group, prompt: '3 pictures fault:cut-stream fault:bare-eof' });
    expect(data).toHaveLength(3);
  });
});
