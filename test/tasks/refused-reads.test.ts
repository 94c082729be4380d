import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { afterRefusedRead } from '../../src/tasks/refused-reads.ts';
import { buildTask } from '../store/support.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRecords, type Records } from '../support/records.ts';
import { withSharedClock } from '../support/sharing.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: object;
}

interface Read {
  readonly status: string;
  readonly isTerminal: boolean;
  readonly error: object | null;
  readonly readFailure: object | null;
  readonly generation: { readonly status: string; readonly finishedAt: string | null };
}

interface Progress {
  readonly status: string;
  readonly readFailure: { readonly code: string } | null;
}

const failure = '{ code message upstreamCode retry }';
const selection = `status isTerminal error ${failure} readFailure ${failure} output { __typename } generation { status finishedAt error ${failure} }`;
const refusal: Answer = { status: 422, body: { detail: 'the prompt was rejected' } };
const finished: Answer = { status: 200, body: { images: [{ url: 'https://x.example/a.png' }], seed: 1 } };
const second = 1000;
const minute = 60_000;
const hour = 60 * minute;
/** Slightly longer than the interval in which refusals count once. */
const interval = 32 * second;

const refused = {
  status: 'FAILED',
  isTerminal: true,
  error: {
    code: 'GATEWAY_ERROR',
    message: 'The gateway refuses to return the result: the prompt was rejected',
    upstreamCode: null,
    retry: 'MAY_CHARGE_AGAIN',
  },
  readFailure: null,
};
const unknown = {
  status: 'QUEUED',
  isTerminal: false,
  error: null,
  readFailure: { code: 'GATEWAY_ERROR', retry: 'LATER' },
};

/** A gateway that accepts one queued image and answers its reads as the test says. */
async function startRefusing(options: { readonly records?: Records; readonly env?: object } = {}) {
  const clock = createManualClock();
  const answers = { read: refusal };
  const gateway = await startFakeGateway((request, response) => {
    const accepted: Answer = { status: 200, body: { request_id: 'r1' } };
    const { status, body, headers } = request.method === 'POST' ? accepted : answers.read;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  /** Its system clock may be set to another time than the shared one. */
  const start = async (aheadMs = 0): Promise<TestApp & AsyncDisposable> => {
    const own = { ...clock, now: () => clock.now() + aheadMs };
    const app = await startApp({
      gatewayUrl: gateway.url,
      overrides: { clock: own, wrapStore: withSharedClock(clock) },
      env: { ...options.records?.env, ...options.env },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const app = await start();
  const { data } = await app.run<{ queueImage: { task: { id: string } } }, object>(
    `mutation { queueImage(input: { prompt: "a" }, idempotencyKey: "k") { ... on Generation { task { id } } } }`,
  );
  const id = data?.queueImage.task.id ?? '';
  const read = async (by = app): Promise<Read | undefined> => {
    const result = await by.run<{ task: Read }, object>(`{ task(id: "${id}") { ${selection} } }`);
    expect(result.errors).toBeUndefined();
    return result.data?.task;
  };
  /** Reads it as often, at these intervals. Returns the last state. */
  const readOften = async (count: number, delayMs: number, by = app): Promise<Read | undefined> => {
    let last: Read | undefined;
    for (let index = 0; index < count; index += 1) {
      clock.advance(delayMs);
      last = await read(by);
    }
    return last;
  };
  return { app, clock, gateway, answers, id, start, read, readOften };
}

describe('a task whose reads are refused', () => {
  test.each([400, 410, 422])('with %i ends as FAILED after 20 reads over 10 minutes', async (status) => {
    const { answers, readOften } = await startRefusing();
    answers.read = { ...refusal, status };
    const code = status === 410 ? 'NOT_FOUND' : 'GATEWAY_ERROR';
    const before = await readOften(19, interval);
    expect(before).toMatchObject({ ...unknown, readFailure: { ...unknown.readFailure, code } });
    expect(before?.generation).toMatchObject({ status: 'QUEUED', finishedAt: null });
    const end = await readOften(1, interval);
    expect(end).toMatchObject(refused);
    expect(end?.generation).toMatchObject({
      status: 'FAILED',
      finishedAt: expect.any(String),
      error: refused.error,
    });
  });

  test('does not end sooner if a client reads it in a loop', async () => {
    const { readOften, gateway } = await startRefusing();
    expect(await readOften(25, 10)).toMatchObject(unknown);
    expect(await readOften(30, second)).toMatchObject(unknown);
    expect(await readOften(45, 10 * second)).toMatchObject(unknown);
    expect(gateway.requests.length).toBeGreaterThan(95);
    expect(await readOften(20, 10 * second)).toMatchObject(refused);
  });

  test('does not end by few reads over a long time', async () => {
    const { readOften } = await startRefusing();
    expect(await readOften(19, hour)).toMatchObject(unknown);
  });

  test.each([
    [401, { detail: 'no' }],
    [403, { detail: 'no' }],
    [404, { detail: 'no' }],
    [408, { detail: 'no' }],
    [429, { detail: 'no' }],
    [500, { detail: 'no' }],
    [400, { error: { message: 'Invalid API key', code: 'invalid_api_key' } }],
    [422, { error: { message: 'no', code: 'rate_limit_exceeded' } }],
    [200, { detail: 'no' }],
    [302, {}],
  ])('with %i %j never ends', async (status, body) => {
    const { answers, readOften } = await startRefusing();
    // Otherwise, transient failures are retried by the clock, which stands still during a read.
    answers.read = { status, body, headers: { 'retry-after': '30' } };
    expect(await readOften(21, minute)).toMatchObject({ status: 'QUEUED', isTerminal: false });
  });

  test.each<[string, Answer]>([
    ['a good read', { status: 200, body: { request_id: 'r1', status: 'IN_QUEUE' } }],
    ['the word that it is in progress', { status: 400, body: { detail: 'Request is still in progress' } }],
  ])('is counted from the start after %s', async (_title, good) => {
    const { answers, readOften } = await startRefusing();
    expect(await readOften(19, minute)).toMatchObject(unknown);
    answers.read = good;
    expect(await readOften(1, minute)).toMatchObject({ status: 'QUEUED', readFailure: null });
    answers.read = refusal;
    expect(await readOften(19, minute)).toMatchObject(unknown);
    expect(await readOften(1, minute)).toMatchObject(refused);
  });

  test('is counted across restarts', async () => {
    const records = await createRecords('SQLite');
    const { app, start, readOften } = await startRefusing({ records });
    expect(await readOften(12, interval)).toMatchObject(unknown);
    await app[Symbol.asyncDispose]();
    const again = await start();
    expect(await readOften(7, interval, again)).toMatchObject(unknown);
    expect(await readOften(1, interval, again)).toMatchObject(refused);
  });

  test('is counted across instances', async () => {
    const records = await createRecords('PostgreSQL');
    const { app, start, readOften, read } = await startRefusing({ records });
    const other = await start();
    for (let round = 0; round < 9; round += 1) {
      expect(await readOften(1, interval, app)).toMatchObject(unknown);
      expect(await readOften(1, interval, other)).toMatchObject(unknown);
    }
    expect(await readOften(1, interval, app)).toMatchObject(unknown);
    expect(await readOften(1, interval, other)).toMatchObject(refused);
    expect(await read(app)).toMatchObject(refused);
  });

  test('is counted by the clock that instances share', async () => {
    const records = await createRecords('PostgreSQL');
    const { app, start, readOften } = await startRefusing({ records });
    const ahead = await start(11 * minute);
    for (let round = 0; round < 20; round += 1) {
      expect(await readOften(1, second, app)).toMatchObject(unknown);
      expect(await readOften(1, second, ahead)).toMatchObject(unknown);
    }
  });

  test('ends for its watchers, who see the failed reads once', async () => {
    const { app, clock, gateway, id } = await startRefusing({
      env: { TASK_POLL_SECONDS: '1', TASK_POLL_MAX_SECONDS: '40' },
    });
    const seen: string[] = [];
    const watched = (async () => {
      const query = `subscription { taskProgress(id: "${id}") { status readFailure { code } } }`;
      for await (const { data } of app.wsClient().iterate<{ taskProgress: Progress }>({ query }))
        seen.push(`${data?.taskProgress.status} ${data?.taskProgress.readFailure?.code}`);
    })();
    while (!seen.at(-1)?.startsWith('FAILED')) {
      if (seen.length > 0) clock.advance(second);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await watched;
    expect(seen).toEqual(['QUEUED undefined', 'QUEUED GATEWAY_ERROR', 'FAILED undefined']);
    expect(gateway.requests.length).toBeLessThan(60);
  });
});

describe('the end of a task whose reads were refused', () => {
  test('is replaced by a good read, at most once a minute', async () => {
    const { app, answers, gateway, readOften } = await startRefusing();
    expect(await readOften(20, interval)).toMatchObject(refused);
    const requests = gateway.requests.length;
    answers.read = finished;
    expect(await readOften(5, 10 * second)).toMatchObject(refused);
    expect(gateway.requests).toHaveLength(requests);
    const end = await readOften(1, 10 * second);
    expect(end).toMatchObject({ status: 'SUCCEEDED', error: null, output: { __typename: 'ImageSet' } });
    expect(end?.generation).toMatchObject({ status: 'SUCCEEDED', error: null });
    const { data } = await app.run<object, object>(
      '{ generation(by: { idempotencyKey: "k" }) { status assets { url } error { code } } usageTotals { generations succeeded failed } }',
    );
    expect(data).toEqual({
      generation: { status: 'SUCCEEDED', assets: [{ url: 'https://x.example/a.png' }], error: null },
      usageTotals: [{ generations: 1, succeeded: 1, failed: 0 }],
    });
    answers.read = refusal;
    expect(await readOften(3, hour)).toMatchObject({ status: 'SUCCEEDED' });
    expect(gateway.requests).toHaveLength(requests + 1);
  });

  test.each<[string, Answer, string]>([
    ['a reading', { status: 200, body: { request_id: 'r1', status: 'IN_QUEUE' } }, 'QUEUED'],
    ['a refusal', { status: 400, body: { detail: 'Request is still in progress' } }, 'RUNNING'],
  ])('is withdrawn by %s that says that the work goes on', async (_title, good, status) => {
    const { answers, readOften } = await startRefusing();
    expect(await readOften(20, interval)).toMatchObject(refused);
    answers.read = good;
    const open = await readOften(1, minute);
    expect(open).toMatchObject({ status, isTerminal: false, error: null, readFailure: null });
    expect(open?.generation).toMatchObject({ status, finishedAt: null, error: null });
    answers.read = refusal;
    expect(await readOften(19, interval)).toMatchObject({ status, isTerminal: false });
    answers.read = finished;
    expect(await readOften(1, minute)).toMatchObject({ status: 'SUCCEEDED', error: null });
  });

  test('and its correction are changes of the generation; the refusals before are not', async () => {
    const { app, answers, readOften } = await startRefusing();
    const seen: string[] = [];
    const query = 'subscription { generationChanged { ... on GenerationChanged { generation { status } } } }';
    const events = app.wsClient().iterate<{ generationChanged: { generation: { status: string } } }>({
      query,
    });
    const collected = (async () => {
      for await (const { data } of events) {
        seen.push(data?.generationChanged.generation.status ?? '');
        if (seen.at(-1) === 'SUCCEEDED') return;
      }
    })();
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    await readOften(20, interval);
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answers.read = finished;
    await readOften(1, minute);
    await collected;
    expect(seen).toEqual(['FAILED', 'SUCCEEDED']);
  });

  test('stays while reads are refused or fail, and costs one read a minute', async () => {
    const { answers, clock, gateway, readOften } = await startRefusing();
    expect(await readOften(20, interval)).toMatchObject(refused);
    // The reads go on, whichever way the system clock is set.
    clock.step(-5 * hour);
    const requests = gateway.requests.length;
    expect(await readOften(12, 10 * second)).toMatchObject(refused);
    answers.read = { status: 404, body: { detail: 'gone' } };
    expect(await readOften(12, 10 * second)).toMatchObject(refused);
    expect(gateway.requests).toHaveLength(requests + 4);
  });

  test('stays for good after a day', async () => {
    const { answers, gateway, readOften } = await startRefusing();
    expect(await readOften(20, interval)).toMatchObject(refused);
    const requests = gateway.requests.length;
    answers.read = finished;
    expect(await readOften(1, 24 * hour)).toMatchObject(refused);
    expect(gateway.requests).toHaveLength(requests);
  });
});

const gone = new GatewayError('gone', { status: 410, retry: 'NEVER' });

/** The refusals that count, and the time in seconds, up to the one that ends the task. The clock is set back by `step` after five. */
function countRefusals(everySeconds: number, step = 0): { readonly reads: number; readonly endsAt: number } {
  let task = buildTask({ status: 'RUNNING' });
  for (let seconds = 0; seconds < 100_000; seconds += everySeconds) {
    const isSet = (task.refusedReads?.reads ?? 0) >= 5;
    task = afterRefusedRead(task, gone, 100 * hour + (seconds - (isSet ? step : 0)) * second);
    if (task.status === 'FAILED') return { reads: task.refusedReads?.reads ?? 0, endsAt: seconds };
  }
  throw new Error('it has not ended');
}

test('a task ends after 20 refusals that count, and not before ten minutes', () => {
  // Twenty reads in 570 seconds are too soon.
  expect(countRefusals(30)).toEqual({ reads: 21, endsAt: 600 });
  expect(countRefusals(60)).toEqual({ reads: 20, endsAt: 19 * 60 });
  // One in each 30 seconds counts.
  expect(countRefusals(1)).toEqual({ reads: 21, endsAt: 600 });
  // A clock that is set back by five hours delays the end by no more than the time before that.
  expect(countRefusals(60, 18_000)).toEqual({ reads: 20, endsAt: 19 * 60 });
});
