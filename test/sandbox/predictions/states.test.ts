import { describe, expect, test } from 'vitest';
import { createKey, parseEvents, readError, readJson, startSandbox } from '../support.ts';
import {
  animationInput,
  animationRequest,
  createClient,
  createTime,
  startOfTime,
  type Prediction,
} from '../tasks/support.ts';

const time = createTime();
const sandbox = await startSandbox({ clock: time.clock, taskSeconds: 10 });
const client = createClient(sandbox);
const instant = createClient(await startSandbox({ taskSeconds: 0, clock: () => startOfTime }));

function create(from = client, changes: Record<string, unknown> = {}): Promise<Prediction> {
  const input = { ...animationInput, ...changes };
  return from.create<Prediction>('/hosta/v1/predictions', { ...animationRequest, input });
}

describe('a prediction', () => {
  test('starts as a record with every documented member', async () => {
    const record = await create();
    const address = `${sandbox.url}/hosta/v1/predictions/${record.id}`;
    expect(record).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{26}$/),
      model: 'studio/animation',
      version: 'abc123',
      input: animationInput,
      logs: '',
      output: null,
      data_removed: false,
      error: null,
      status: 'starting',
      created_at: new Date(time.clock()).toISOString(),
      urls: {
        cancel: `${address}/cancel`,
        get: address,
        stream: `${address}/stream`,
        web: `${sandbox.url}/hosta/p/${record.id}`,
      },
    });
  });

  test('starts, processes with growing logs, and succeeds', async () => {
    const { urls } = await create();
    const seen: Prediction[] = [];
    for (let second = 0; second <= 10; second += 1) {
      seen.push(await client.read<Prediction>(urls.get));
      time.advance(1);
    }
    expect(seen.map(({ status }) => status)).toEqual([
      'starting',
      'starting',
      ...Array.from({ length: 8 }, () => 'processing'),
      'succeeded',
    ]);
    for (const [index, { logs, output }] of seen.entries()) {
      expect(logs.startsWith(seen[index - 1]?.logs ?? '')).toBe(true);
      expect(output === null).toBe(index < 10);
    }
    expect(seen[6]?.logs).toContain(' 50%|█████     | 25/50 [00:02<00:02, 12.50it/s]\n');
    expect(seen[10]?.logs).toContain('100%|██████████| 50/50');
    expect(seen[9]).not.toHaveProperty('completed_at');
    const {
      created_at: createdAt,
      started_at: startedAt,
      completed_at: completedAt,
      metrics,
    } = seen[10] ?? {};
    expect(metrics).toEqual({ predict_time: 8 });
    expect(Date.parse(startedAt ?? '') - Date.parse(createdAt ?? '')).toBe(2000);
    expect(Date.parse(completedAt ?? '') - Date.parse(createdAt ?? '')).toBe(10_000);
  });

  test('is canceled by its cancel URL', async () => {
    const { urls } = await create();
    time.advance(4);
    const canceled = await readJson<Prediction>(await client.send('POST', urls.cancel));
    expect(canceled).toMatchObject({ status: 'canceled', output: null, metrics: { predict_time: 2 } });
    time.advance(20);
    expect(await client.read(urls.get)).toEqual(canceled);
  });

  test('that has ended cannot be canceled', async () => {
    const { urls } = await create(instant);
    const response = await instant.send('POST', urls.cancel);
    expect(await readJson<Prediction>(response)).toMatchObject({ status: 'succeeded' });
  });

  test('is visible only to its token', async () => {
    const owner = createClient(sandbox, await createKey(sandbox, { unlimited_quota: true }));
    const { urls } = await create(owner);
    expect((await owner.send('GET', urls.get)).status).toBe(200);
    for (const [method, url] of [
      ['GET', urls.get],
      ['POST', urls.cancel],
      ['GET', urls.stream],
    ] as const) {
      expect(await readError(await client.send(method, url))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
      expect((await fetch(url, { method })).status).toBe(401);
    }
  });
});

describe('the stream of a prediction', () => {
  test('sends logs, output and the end', async () => {
    const { urls } = await create(instant);
    const response = await instant.send('GET', urls.stream);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = parseEvents(await response.text());
    const { logs, output } = await instant.read<Prediction>(urls.get);
    expect(events.map(({ event }) => event)).toEqual(['logs', 'output', 'done']);
    expect(events.map(({ data }) => data)).toEqual([logs, output?.[0], '{}']);
    expect(events.every(({ id }) => id?.startsWith(`${startOfTime}:`))).toBe(true);
  });

  test('reports a failure and a cancellation', async () => {
    const failed = await create(instant, { prompt_start: 'fault:failed' });
    const events = parseEvents(await (await instant.send('GET', failed.urls.stream)).text());
    expect(events.slice(-2)).toMatchObject([
      { event: 'error' },
      { event: 'done', data: '{"reason":"error"}' },
    ]);
    const canceled = await create();
    await client.send('POST', canceled.urls.cancel);
    const text = await (await client.send('GET', canceled.urls.stream)).text();
    expect(parseEvents(text)).toMatchObject([{ event: 'done', data: '{"reason":"canceled"}' }]);
  });

  test('continues until its prediction ends', async () => {
    const { urls } = await create();
    const response = await client.send('GET', urls.stream);
    time.advance(11);
    expect(parseEvents(await response.text()).at(-1)).toMatchObject({ event: 'done', data: '{}' });
  });
});

describe('the web page of a prediction', () => {
  test('shows its output in a browser, without a credential', async () => {
    const { id, urls } = await create(instant);
    const response = await fetch(urls.web);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await response.text();
    const { output } = await instant.read<Prediction>(urls.get);
    expect(page).toContain(id);
    expect(page).toContain(`<img src="${output?.[0]}"`);
  });

  test("refreshes while the prediction runs, and escapes the client's text", async () => {
    const body = { ...animationRequest, version: '<b>/x:1' };
    const { urls } = await client.create<Prediction>('/hosta/v1/predictions', body);
    const page = await (await fetch(urls.web)).text();
    expect(page).toContain('http-equiv="refresh"');
    expect(page).toContain('&lt;b&gt;/x');
    expect(page).not.toContain('<b>');
  });

  test('of an unknown prediction is 404', async () => {
    expect((await fetch(`${sandbox.url}/hosta/p/nothing`)).status).toBe(404);
  });
});
