import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Sandbox, SandboxRequest } from '../../../src/sandbox/sandbox.ts';
import {
  type Completion,
  createKey,
  joinChunks,
  postChat,
  readChunks,
  readEvents,
  readJson,
  startSandbox,
  user,
} from '../support.ts';

const sandbox = await startSandbox();
const streamed = { messages: user('count to 20'), seed: 1, stream: true };

describe('a stream', () => {
  test('is server-sent events that end with [DONE]', async () => {
    const response = await postChat(sandbox, streamed);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = await readEvents(response);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(events.filter(({ data }) => data === '[DONE]')).toHaveLength(1);
    expect(events.every(({ event }) => event === undefined)).toBe(true);
  });

  test('starts with the role, ends with the finish reason, and has one token per chunk in between', async () => {
    const chunks = await readChunks(await postChat(sandbox, streamed));
    expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']));
    expect(chunks[0]?.choices).toEqual([
      { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
    ]);
    expect(chunks.at(-1)?.choices).toEqual([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]);
    expect(chunks.slice(1, -1).every(({ choices }) => choices?.[0]?.finish_reason === null)).toBe(true);
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
    expect(chunks.length).toBeGreaterThan(20);
    expect(joinChunks(chunks)[0]?.message.content?.match(/\d+/g)).toHaveLength(20);
  });

  test('with an image costs as much as its usage, as a whole reply does', async () => {
    const extra_body = { google: { response_modalities: ['TEXT', 'IMAGE'] } };
    for (const stream of [false, true]) {
      const key = await createKey(sandbox, { remain_quota: 100_000 });
      const request = { messages: user('a fox'), n: 2, seed: 1, extra_body, stream };
      const options = stream ? { stream_options: { include_usage: true } } : {};
      const response = await postChat(sandbox, { ...request, ...options }, { key });
      const { usage } = stream
        ? ((await readChunks(response)).at(-1) ?? {})
        : await readJson<Completion>(response);
      expect(usage?.completion_tokens).toBeGreaterThan(2 * 1290);
      await sandbox.activity.waitUntilIdle();
      expect({ stream, cost: sandbox.findToken(key)?.usedQuota }).toEqual({
        stream,
        cost: usage?.total_tokens,
      });
    }
  });

  test('ends with the usage when the request asks for it', async () => {
    const request = { ...streamed, stream_options: { include_usage: true } };
    const chunks = await readChunks(await postChat(sandbox, request));
    const last = chunks.at(-1);
    expect(last?.choices).toEqual([]);
    const whole = await (await postChat(sandbox, { ...streamed, stream: false })).json();
    expect(last?.usage).toEqual((whole as { usage: unknown }).usage);
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(last?.usage?.completion_tokens).toBe(chunks.length - 3);
  });

  test('interleaves its choices', async () => {
    const chunks = await readChunks(await postChat(sandbox, { ...streamed, n: 3 }));
    const order = chunks.map(({ choices }) => choices?.[0]?.index);
    expect(order.slice(0, 9)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    const choices = joinChunks(chunks);
    expect(choices.map(({ message, finishReason }) => [message.role, finishReason])).toEqual(
      Array.from({ length: 3 }, () => ['assistant', 'stop']),
    );
    expect(new Set(choices.map(({ message }) => message.content)).size).toBe(3);
  });
});

describe('the pace of a stream', () => {
  test('is that of a model and does not drift', async () => {
    const paced = await startSandbox({ tokensPerSecond: 500 });
    const startedAt = performance.now();
    const response = await postChat(paced, { ...streamed, messages: user('count to 300') });
    const arrivals = await readArrivals(response);
    const [first = 0] = arrivals;
    const paceAt = (index: number): number => ((arrivals[index] ?? 0) - first) / index;
    // A busy machine delays some tokens. A drift would delay all of them, the punctual ones too.
    const late = Array.from({ length: 75 }, (_, index) => paceAt(arrivals.length - 1 - index));
    expect(arrivals.length).toBeGreaterThan(300);
    expect(first - startedAt).toBeGreaterThan(100);
    // No token comes early: since the request, at least its share of the time has passed.
    const sinceStart = arrivals.map((arrival, index) => (arrival - startedAt) / (index + 1));
    expect(Math.min(...sinceStart)).toBeGreaterThan(1.8);
    // A timer per token would be late by a millisecond each time: 3 ms in place of 2.
    expect(Math.min(...late)).toBeLessThan(2.6);
  });

  test('applies to each choice separately', async () => {
    const paced = await startSandbox({ tokensPerSecond: 200 });
    const durations = await Promise.all(
      [1, 8].map(async (n) => {
        const startedAt = performance.now();
        await (await postChat(paced, { ...streamed, n })).text();
        return performance.now() - startedAt;
      }),
    );
    // A pace for all choices together would take eight times as long.
    expect((durations[1] ?? 0) / (durations[0] ?? 1)).toBeLessThan(4);
  });

  test('applies to whole replies, too', async () => {
    const paced = await startSandbox({ tokensPerSecond: 100 });
    const startedAt = performance.now();
    const response = await postChat(paced, { ...streamed, stream: false });
    const { usage } = (await response.json()) as { usage: { completion_tokens: number } };
    expect(performance.now() - startedAt).toBeGreaterThan(usage.completion_tokens * 10);
  });
});

describe('a client that leaves', () => {
  test('stops the stream immediately and pays for the tokens produced so far', async () => {
    const paced = await startSandbox({ tokensPerSecond: 100 });
    const key = await createKey(paced, { remain_quota: 100_000 });
    const leave = new AbortController();
    const request = { messages: user('count to 4000'), seed: 1, stream: true };
    const response = await postChat(paced, request, { key, signal: leave.signal });
    const reader = response.body?.getReader();
    for (let reads = 0; reads < 10; reads += 1) await reader?.read();
    expect(paced.activity.open).toBe(1);
    leave.abort();
    await paced.activity.waitUntilIdle();
    expect(last(paced)).toMatchObject({ state: 'aborted', status: 200 });
    const { usedQuota } = paced.findToken(key) ?? { usedQuota: 0 };
    expect(usedQuota).toBeGreaterThan(10);
    expect(usedQuota).toBeLessThan(200);
  });

  test('before the first token pays nothing', async () => {
    const paced = await startSandbox({ tokensPerSecond: 0.01 });
    const key = await createKey(paced);
    const leave = new AbortController();
    await postChat(paced, streamed, { key, signal: leave.signal });
    leave.abort();
    await paced.activity.waitUntilIdle();
    expect(last(paced)?.state).toBe('aborted');
    expect(paced.findToken(key)?.usedQuota).toBe(0);
  });

  test('before a whole reply aborts the request, too', async () => {
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const paced = await startSandbox({ tokensPerSecond: 1, onRequest: () => arrived() });
    const leave = new AbortController();
    const pending = postChat(paced, { ...streamed, stream: false }, { signal: leave.signal });
    pending.catch(() => {});
    await arrival;
    leave.abort();
    await expect(pending).rejects.toThrow('aborted');
    await paced.activity.waitUntilIdle();
    expect(last(paced)?.state).toBe('aborted');
  });
});

test('a client that does not read slows the stream down by backpressure', async () => {
  const key = await createKey(sandbox, { remain_quota: 10_000_000 });
  const socket = connectTo(sandbox);
  const body = JSON.stringify({ model: 'm', messages: user('count to 5000'), n: 20, stream: true });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  // Without backpressure the sandbox would write everything in this time; the socket's buffers hold a part.
  for (let round = 0; round < 400; round += 1) await (await fetch(`${sandbox.url}/health`)).text();
  expect(sandbox.activity.open).toBe(1);
  expect(last(sandbox)?.state).toBe('open');
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (chunk.includes('data: [DONE]')) socket.end();
  });
  await sandbox.activity.waitUntilIdle();
  expect(last(sandbox)?.state).toBe('answered');
  expect(size).toBeGreaterThan(20_000_000);
  socket.destroy();
});

function last({ activity }: Sandbox): SandboxRequest | undefined {
  return activity.requests('/v1/chat/completions').at(-1);
}

function connectTo({ url }: Sandbox): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

/** The arrival times of the chunks with text. */
async function readArrivals(response: Response): Promise<number[]> {
  const arrivals: number[] = [];
  for await (const bytes of response.body ?? []) {
    const text = Buffer.from(bytes).toString();
    for (const match of text.matchAll(/"delta":\{"content":"[^"]/g))
      if (match) arrivals.push(performance.now());
  }
  return arrivals;
}
