import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  complete,
  createKey,
  joinChunks,
  parseEvents,
  postChat,
  readChunks,
  readError,
  readEvents,
  readJson,
  startSandbox,
  user,
  type Chunk,
  type Completion,
} from '../support.ts';

const sandbox = await startSandbox();
const messages = user('Tell me about owls');
const streamed = { messages, seed: 1, stream: true };

const post = (model: string, stream = true): Promise<Response> =>
  postChat(sandbox, { ...streamed, model, stream });

describe.each([true, false])('a fault in place of a reply, stream %s', (stream) => {
  test('fault-empty-401 is 401 without a body', async () => {
    const response = await post('fault-empty-401', stream);
    expect([response.status, await response.text()]).toEqual([401, '']);
  });

  test.each([500, 502])('fault-html-%i is an HTML page of a proxy', async (status) => {
    const response = await post(`fault-html-${status}`, stream);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toContain(`<h1>${status} `);
  });

  test('fault-success-false is a failure under 200', async () => {
    const response = await post('fault-success-false', stream);
    expect(response.status).toBe(200);
    expect(await readJson(response)).toEqual({ success: false, message: expect.any(String) });
  });

  test('fault-rate-limit is 429 with Retry-After', async () => {
    const response = await post('fault-rate-limit', stream);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  });

  test('fault-quota is 403', async () => {
    expect(await readError(await post('fault-quota', stream))).toMatchObject({
      status: 403,
      code: 'insufficient_user_quota',
    });
  });

  test('fault-json-error-200 is an error object under 200', async () => {
    const response = await post('fault-json-error-200', stream);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await readError(response)).toMatchObject({ status: 200, code: 'upstream_failed' });
  });

  test('fault-not-json is plain text', async () => {
    const response = await post('fault-not-json', stream);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toBe('ok');
  });

  test('fault-reset resets the connection before any byte', async () => {
    const outcome = await sendRaw({ ...streamed, model: 'fault-reset', stream });
    expect(outcome).toEqual({ text: '', code: 'ECONNRESET' });
    await sandbox.activity.waitUntilIdle();
    const request = sandbox.activity.requests().at(-1);
    expect(request?.state).toBe('answered');
    expect(request?.status).toBeUndefined();
  });
});

test('fault-slow answers after three seconds', async () => {
  const startedAt = performance.now();
  const responses = await Promise.all([post('fault-slow'), post('fault-slow', false)]);
  expect(performance.now() - startedAt).toBeGreaterThan(2900);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  for (const response of responses) expect(await response.text()).toContain('owls');
});

describe('a fault within a stream', () => {
  test('fault-cut-stream loses the connection in the middle', async () => {
    const whole = await complete(sandbox, { ...streamed, stream: false });
    const response = await post('fault-cut-stream');
    const { text, isCut } = await readUntilCut(response);
    expect(isCut).toBe(true);
    const joined = joinChunks(toChunks(text))[0];
    const half = joined?.message.content?.length ?? 0;
    const { length } = whole.choices[0]?.message.content ?? '';
    expect(half).toBeGreaterThan(length / 4);
    expect(half).toBeLessThan((length * 3) / 4);
    expect(joined?.finishReason).toBeUndefined();
    await sandbox.activity.waitUntilIdle();
    expect(sandbox.activity.requests().at(-1)).toMatchObject({ state: 'answered', status: 200 });
  });

  test('fault-stalled-stream sends nothing more until the client leaves', async () => {
    const leave = new AbortController();
    const response = await postChat(
      sandbox,
      { ...streamed, model: 'fault-stalled-stream' },
      { signal: leave.signal },
    );
    const reader = response.body?.getReader();
    let text = '';
    while (toChunks(text).length < 9) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    const silence = Symbol('silence');
    const next = reader?.read().catch(() => 'left');
    const wait = new Promise((resolve) => setTimeout(() => resolve(silence), 100));
    expect(await Promise.race([next, wait])).toBe(silence);
    expect(sandbox.activity.requests().at(-1)?.state).toBe('open');
    leave.abort();
    await sandbox.activity.waitUntilIdle();
    expect(sandbox.activity.requests().at(-1)?.state).toBe('aborted');
    expect(await next).toBe('left');
  });

  test('fault-bare-eof ends without a finish reason and [DONE]', async () => {
    const chunks = await readChunks(await post('fault-bare-eof'));
    expect(chunks).toHaveLength(9);
    expect(joinChunks(chunks)[0]?.finishReason).toBeUndefined();
    expect((await readEvents(await post('fault-bare-eof'))).at(-1)?.data).not.toBe('[DONE]');
  });

  test('fault-eof-after-finish omits only [DONE]', async () => {
    const events = await readEvents(await post('fault-eof-after-finish'));
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  test('fault-in-band-error ends with an error object', async () => {
    const chunks = await readChunks(await post('fault-in-band-error'));
    expect(chunks).toHaveLength(10);
    expect(chunks.at(-1)).toEqual({
      error: { message: expect.any(String), type: 'upstream_error', code: 'upstream_failed' },
    });
  });

  test('fault-json-body is a whole reply to a request for a stream', async () => {
    const response = await post('fault-json-body');
    expect(response.headers.get('content-type')).toContain('application/json');
    const completion = await readJson<Completion>(response);
    expect(completion).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] });
  });

  test('fault-split-surrogate cuts an emoji in two', async () => {
    const text = await (await post('fault-split-surrogate')).text();
    expect(text).toContain(String.raw`"content":"\ud83d"`);
    expect(text).toContain(String.raw`"content":"\ude00"`);
    const content = joinChunks(toChunks(text))[0]?.message.content;
    expect(content).toContain('😀');
    expect(content?.isWellFormed()).toBe(true);
    const whole = await complete(sandbox, { ...streamed, model: 'fault-split-surrogate', stream: false });
    expect(whole.choices[0]?.message.content).toBe(content);
  });

  test('fault-malformed-chunk has a line that is not JSON', async () => {
    const events = await readEvents(await post('fault-malformed-chunk'));
    const broken = events.filter(({ data }) => data !== '[DONE]' && !isJson(data));
    expect(broken).toHaveLength(1);
    const at = events.findIndex((event) => event === broken[0]);
    expect(at).toBeGreaterThan(5);
    expect(at).toBeLessThan(events.length - 5);
    expect(events.at(-1)?.data).toBe('[DONE]');
  });

  test('fault-odd-chunks is the same reply in every allowed form', async () => {
    const request = {
      ...streamed,
      model: 'fault-odd-chunks',
      messages: user('Write an essay about the sea 🙂'),
      n: 2,
    };
    const response = await postChat(sandbox, request);
    const reads: string[] = [];
    for await (const bytes of response.body ?? []) reads.push(Buffer.from(bytes).toString());
    const text = reads.join('');
    const whole = await complete(sandbox, { ...request, stream: false });
    const joined = joinChunks(toChunks(text));
    expect(joined.map(({ message }) => message.content)).toEqual(
      whole.choices.map(({ message }) => message.content),
    );
    expect(joined.map(({ finishReason }) => finishReason)).toEqual(['stop', 'stop']);
    expect(parseEvents(text).at(-1)?.data).toBe('[DONE]');
    const oddities = [
      /^: a comment/,
      /\r\n\r\n/,
      /\nevent: message\nid: \d+\n/,
      /\nretry: 3000/,
      /\ndata: \{\ndata: /,
      /\ndata:\{/,
      /"choices":null/,
      /"choices":\[\]/,
      /"choices":\[\{"delta"/,
      /"provider":\{/,
      /"matched_stop":null/,
    ];
    for (const oddity of oddities) expect(text).toMatch(oddity);
    // Some reads end inside an event, others hold several events.
    expect(reads.some((read) => !/\n\r?\n$/.test(read))).toBe(true);
    expect(reads.some((read) => parseEvents(read).length > 4)).toBe(true);
  });
});

test.each([
  ['fault-equal-call-index', [0]],
  ['fault-no-call-index', [undefined]],
])('%s sends parallel tool calls with their ids', async (model, expected) => {
  const tool = {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  };
  const request = { model, stream: true, messages: user('The weather in Oslo and Rome?'), tools: [tool] };
  const chunks = await readChunks(await postChat(sandbox, request));
  const calls = chunks.flatMap(({ choices }) =>
    (choices ?? []).flatMap(
      ({ delta }) => (delta as { tool_calls?: { index?: number; id?: string }[] }).tool_calls ?? [],
    ),
  );
  expect([...new Set(calls.map(({ index }) => index))]).toEqual(expected);
  expect(calls.filter(({ id }) => id !== undefined)).toHaveLength(2);
});

describe('a fault within a whole reply', () => {
  test('fault-cut-stream cuts the connection within the JSON', async () => {
    const { text, isCut } = await readUntilCut(await post('fault-cut-stream', false));
    expect([isCut, isJson(text)]).toEqual([true, false]);
    expect(text).toMatch(/^\{"id":/);
  });

  test.each(['fault-bare-eof', 'fault-malformed-chunk'])('%s ends within the JSON', async (model) => {
    const text = await (await post(model, false)).text();
    expect(text).toMatch(/^\{"id":/);
    expect(isJson(text)).toBe(false);
  });

  test('fault-in-band-error is an error object under 200', async () => {
    expect(await readError(await post('fault-in-band-error', false))).toMatchObject({ status: 200 });
  });

  test.each(['fault-odd-chunks', 'fault-eof-after-finish', 'fault-json-body'])(
    '%s has no fault',
    async (model) => {
      const { choices } = await complete(sandbox, { ...streamed, stream: false, model });
      expect(choices[0]?.finish_reason).toBe('stop');
    },
  );
});

describe('the cost of a fault', () => {
  test.each([
    'fault-empty-401',
    'fault-html-500',
    'fault-success-false',
    'fault-rate-limit',
    'fault-quota',
    'fault-json-error-200',
    'fault-not-json',
    'fault-reset',
  ])('%s costs nothing', async (model) => {
    const key = await createKey(sandbox, { remain_quota: 100_000 });
    await postChat(sandbox, { ...streamed, model }, { key }).catch(() => {});
    await sandbox.activity.waitUntilIdle();
    expect(sandbox.findToken(key)?.usedQuota).toBe(0);
  });

  test('a broken stream costs the tokens it sent', async () => {
    const key = await createKey(sandbox, { remain_quota: 100_000 });
    const { usage } = await complete(sandbox, { ...streamed, stream: false });
    await (await postChat(sandbox, { ...streamed, model: 'fault-bare-eof' }, { key })).text();
    expect(sandbox.findToken(key)?.usedQuota).toBe(usage.prompt_tokens + 8);
  });
});

test('a fault needs a credential and a valid request like any other model', async () => {
  expect((await postChat(sandbox, { ...streamed, model: 'fault-html-500' }, { key: 'sk-no' })).status).toBe(
    401,
  );
  expect((await postChat(sandbox, { ...streamed, model: 'fault-html-500', foo: 1 })).status).toBe(400);
  expect((await post('fault-html-500-thinking')).status).toBe(500);
});

function toChunks(text: string): Chunk[] {
  return parseEvents(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as Chunk);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function readUntilCut(response: Response): Promise<{ text: string; isCut: boolean }> {
  let text = '';
  try {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
    return { text, isCut: false };
  } catch {
    return { text, isCut: true };
  }
}

/** The text that a bare socket receives, and the error code that ends it. */
function sendRaw(request: unknown): Promise<{ text: string; code: string | undefined }> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(sandbox.url);
    const body = JSON.stringify(request);
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    );
    let text = '';
    let code: string | undefined;
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code;
    });
    socket.on('close', () => resolve({ text, code }));
  });
}
