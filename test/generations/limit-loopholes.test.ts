import { describe, expect, onTestFinished, test } from 'vitest';
import { DeleteGenerationsDocument, ViewerDocument } from '../../src/client/documents.generated.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made, refused, startChat, streamChat, toEnd } from '../support/chats.ts';
import { sendEvents, startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRecords, engines } from '../support/records.ts';
import { chunk, startScriptedGateway, words } from '../support/scripted-gateway.ts';

const dayMs = 86_400_000;

type Env = Readonly<Record<string, string>>;

const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 };

async function startLimited(gatewayUrl: string, env: Env) {
  const log: Readonly<Record<string, unknown>>[] = [];
  const clock = createManualClock(Date.parse('2026-11-20T12:00:00Z'));
  const app = await startApp({
    gatewayUrl,
    env: { SHUTDOWN_SECONDS: '0.05', ...env },
    overrides: { clock },
    onLog: (line) => log.push(line),
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, log };
}

async function usedOf(app: TestApp): Promise<unknown> {
  const { data } = await app.run(ViewerDocument, {});
  return data?.viewer?.limits[0]?.used;
}

async function createSong(app: TestApp) {
  const { data, errors } = await app.run<
    { made: Readonly<Record<string, unknown>> & { id: string } },
    object
  >(
    `mutation {
      made: createSong(input: { description: "x", model: SONG_V5 }) {
        ... on Generation { id task { id } }
        ... on RateLimitError { limit }
      }
    }`,
    {},
  );
  if (!data?.made) throw new Error(JSON.stringify(errors));
  return data.made as {
    readonly id: string;
    readonly limit?: string;
    readonly task?: { readonly id: string };
  };
}

describe.each(engines)('with %s', (engine) => {
  test('forgetting an unfinished task makes no room for another one', async () => {
    let isFinished = false;
    const music = await startFakeMusic({
      answer: (ids) => ({
        body: { code: 'success', data: ids.map((id) => (isFinished ? finishedSong(id) : musicTask(id))) },
      }),
    });
    const { env } = await createRecords(engine);
    const { app } = await startLimited(music.url, { ...env, MAX_RUNNING_PER_OWNER: '1' });
    const { id, task } = await createSong(app);
    const forget = async () =>
      (await app.run(DeleteGenerationsDocument, { ids: [id] })).data?.deleteGenerations?.deletedIds;
    expect(await forget()).toEqual([]);
    expect(await createSong(app)).toEqual({ limit: 'RUNNING' });
    expect(await usedOf(app)).toBe(1);
    isFinished = true;
    await app.run('query ($id: ID!) { task(id: $id) { status } }', { id: task?.id });
    expect(await forget()).toEqual([id]);
    expect(await createSong(app)).toMatchObject({ id: expect.any(String) });
  });

  test('a create beyond the creates that are being sent is retried soon', async () => {
    const gateway = await startScriptedGateway();
    const { env } = await createRecords(engine);
    // The other limit that is reached at any time is not named.
    const limits = { MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=1', MAX_RUNNING_PER_OWNER: '1' };
    const { app } = await startLimited(gateway.url, { ...env, ...limits });
    const starting = startChat(app, { input: ask('a'), idempotencyKey: 'a' });
    const exchange = await gateway.exchange(0);
    const beyond = async () => refused(await startChat(app, { input: ask('b'), idempotencyKey: 'b' }));
    expect(await beyond()).toMatchObject({
      retry: 'LATER',
      retryAfterSeconds: 10,
      message: expect.stringMatching(/CHAT per day\. .* still being sent/),
    });
    exchange.accept();
    made(await starting);
    expect(await beyond()).toMatchObject({ retry: 'LATER', retryAfterSeconds: 43_200 });
    exchange.send('[DONE]');
  });

  test('a create that begins before midnight counts in the day that it is checked against', async () => {
    const gateway = await startFakeGateway((_request, response) => {
      response.end(JSON.stringify({ choices: [{ message: { content: 'a' } }], usage }));
    });
    const noon = Date.parse('2026-11-20T12:00:00Z');
    let now = noon;
    let stepMs = 0;
    // Each look at the clock takes a millisecond while a create runs, so that midnight comes at any of its steps.
    const clock = { ...createManualClock(noon), now: () => (now += stepMs) };
    const { env } = await createRecords(engine);
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: { SHUTDOWN_SECONDS: '0.05', MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=1', ...env },
      overrides: { clock },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    const create = (key: string) => createChatCompletion(app, { input: ask('a'), idempotencyKey: key });
    const days = 24;
    let crossed = 0;
    for (let day = 0; day < days; day += 1) {
      now = noon + 2 * day * dayMs;
      made(await create(`noon ${day}`));
      now += dayMs / 2 - 1 - day;
      stepMs = 1;
      const result = await create(`midnight ${day}`);
      stepMs = 0;
      if (result?.__typename === 'Generation') crossed += 1;
    }
    const { data } = await app.run<{ usageTotals: readonly { generations: string }[] }, object>(
      '{ usageTotals(groupBy: [DAY], filter: { fromDay: "2026-11-20", toDay: "2027-01-31" }) { day generations } }',
    );
    expect(new Set(data?.usageTotals.map(({ generations }) => Number(generations)))).toEqual(new Set([1]));
    expect(data?.usageTotals).toHaveLength(days + crossed);
    expect(gateway.requests).toHaveLength(days + crossed);
    // Midnight came before the create, and after it.
    expect(crossed).toBeGreaterThan(0);
    expect(crossed).toBeLessThan(days);
  });
});

test.each([
  ['MAX_CREATES_PER_MINUTE_PER_OWNER', '0'],
  ['MAX_RUNNING_PER_OWNER', '0'],
  ['MAX_CREATES_PER_DAY_PER_OWNER', 'CHAT=0'],
  ['MAX_TOKENS_PER_DAY_PER_OWNER', '0'],
])('%s=%s advises never to retry', async (name, value) => {
  const gateway = await startScriptedGateway();
  const { app } = await startLimited(gateway.url, { [name]: value });
  const error = refused(await startChat(app, { input: ask('a'), idempotencyKey: 'a' }));
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retry: 'NEVER', retryAfterSeconds: null });
  expect(error.message).not.toContain('etry');
  expect(gateway.requests).toEqual([]);
});

describe('a chat that declines the report of its usage', () => {
  const input = { ...ask('a'), streamOptions: { includeUsage: false } };
  /** A server whose gateway reports usage only if it is asked to. */
  const start = async (env: Env) => {
    const asked: unknown[] = [];
    const gateway = await startFakeGateway((_request, response, text) => {
      const body = JSON.parse(text) as { stream_options?: { include_usage?: boolean } };
      const isAsked = body.stream_options?.include_usage === true;
      asked.push(isAsked);
      sendEvents(response, [...words('a'), { ...chunk({}, 'stop'), ...(isAsked && { usage }) }, '[DONE]']);
    });
    return { ...(await startLimited(gateway.url, env)), asked };
  };

  test('reports it all the same while a limit counts its tokens', async () => {
    const { app, asked } = await start({ MAX_TOKENS_PER_DAY_PER_OWNER: '15' });
    const { id } = made(await startChat(app, { input, idempotencyKey: 'a' }));
    await expect.poll(() => usedOf(app)).toBe(10);
    // The key belongs to the input of the client.
    expect(made(await startChat(app, { input, idempotencyKey: 'a' })).id).toBe(id);
    await toEnd(streamChat(app.sseClient(), { input, idempotencyKey: 'b' }));
    expect(await usedOf(app)).toBe(20);
    expect(asked).toEqual([true, true]);
    expect(refused(await startChat(app, { input, idempotencyKey: 'c' }))).toMatchObject({
      code: 'RATE_LIMITED',
    });
  });

  test('does not report it without such a limit', async () => {
    const { app, asked } = await start({ MAX_RUNNING_PER_OWNER: '5' });
    made(await startChat(app, { input, idempotencyKey: 'a' }));
    expect(asked).toEqual([false]);
  });
});

describe('the start of a server with MAX_RUNNING_PER_OWNER', () => {
  const paths = 'SPEECH=/a/{id},VIDEO=/b/{id},REFERENCE_VIDEO=/c/{id},TRANSITION_VIDEO=/d/{id}';
  test.each([
    [{ MAX_RUNNING_PER_OWNER: '5' }, [['SPEECH', 'VIDEO', 'REFERENCE_VIDEO', 'TRANSITION_VIDEO']]],
    [{ MAX_RUNNING_PER_OWNER: '5', GATEWAY_TASK_PATHS: paths }, []],
    [{}, []],
  ])('and %j warns of the kinds %j', async (env, expected) => {
    const gateway = await startScriptedGateway();
    const { log } = await startLimited(gateway.url, env);
    const warnings = log.filter(({ msg }) => String(msg).startsWith('MAX_RUNNING_PER_OWNER'));
    expect(warnings.map(({ kinds }) => (kinds as readonly string[]).toSorted())).toEqual(
      expected.map((kinds) => kinds.toSorted()),
    );
  });
});

test('a limit of running generations beyond those that a create counts ends the start', async () => {
  const env = { MAX_RUNNING_PER_OWNER: '10001' };
  await expect(startApp({ env })).rejects.toThrow(/MAX_RUNNING_PER_OWNER.*from 0 to 10000/s);
});

test('an operation with many viewers measures the limits once', async () => {
  let measured = 0;
  const app = await startApp({
    env: { MAX_RUNNING_PER_OWNER: '5' },
    overrides: {
      wrapStore: (store) => ({
        ...store,
        measureLimits(...args) {
          measured += 1;
          return store.measureLimits(...args);
        },
      }),
    },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const viewers = Array.from({ length: 100 }, (_, index) => `v${index}: viewer { limits { used } }`);
  const { data } = await app.run<Readonly<Record<string, unknown>>, object>(`{ ${viewers.join(' ')} }`);
  expect(Object.values(data ?? {})).toEqual(viewers.map(() => ({ limits: [{ used: 0 }] })));
  expect(measured).toBe(1);
});

test('creates through a server without limits count in the days of a server with limits', async () => {
  const gateway = await startFakeGateway((_request, response) => {
    response.end(JSON.stringify({ choices: [{ message: { content: 'a' } }], usage }));
  });
  const { env } = await createRecords('PostgreSQL');
  const { app: free } = await startLimited(gateway.url, env);
  const limits = { MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=2', MAX_TOKENS_PER_DAY_PER_OWNER: '1000' };
  const { app: limited } = await startLimited(gateway.url, { ...env, ...limits });
  const create = (app: TestApp, key: string) =>
    createChatCompletion(app, { input: ask('a'), idempotencyKey: key });
  for (const key of ['a', 'b']) made(await create(free, key));
  expect(await create(limited, 'c')).toMatchObject({ code: 'RATE_LIMITED' });
  // Both servers share keys and results.
  made(await create(limited, 'a'));
  made(await create(free, 'c'));
  const { data } = await limited.run(ViewerDocument, {});
  expect(data?.viewer?.limits.map(({ max, used }) => [max, used])).toEqual([
    [2, 3],
    [1000, 30],
  ]);
  expect(gateway.requests).toHaveLength(3);
});
