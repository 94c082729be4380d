import { describe, expect, onTestFinished, test } from 'vitest';
import { DeleteGenerationsDocument, ViewerDocument } from '../../src/client/documents.generated.ts';
import { type Caller, startApp, type TestApp } from '../support/app.ts';
import { ask, made, refused, startChat, startChatQuery, streamChat, toEnd } from '../support/chats.ts';
import { type FakeGateway, sendEvents, sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createRecords, type Engine, engines } from '../support/records.ts';
import { chunk, startScriptedGateway, words } from '../support/scripted-gateway.ts';
import { bearer, mint, signInBySecret } from '../support/sign-in.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const noon = Date.parse('2026-11-20T12:00:00Z');
const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 };
const completion = { choices: [{ message: { role: 'assistant', content: 'a' } }], usage };

interface Started {
  readonly app: TestApp;
  readonly gateway: FakeGateway;
  readonly clock: ManualClock;
  readonly log: Readonly<Record<string, unknown>>[];
}

interface StartOptions {
  readonly engine?: Engine;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: ManualClock;
}

/** A server with a gateway that answers each chat at once, and refuses the ones that say `refuse`. */
async function start({ engine = 'SQLite', env = {}, clock = createManualClock(noon) }: StartOptions) {
  const gateway = await startFakeGateway((_request, response, body) => {
    if (body.includes('refuse')) response.writeHead(400).end('{"error":{"message":"no"}}');
    else if (body.includes('"stream":true'))
      sendEvents(response, [...words('a'), { ...chunk({}, 'stop'), usage }, '[DONE]']);
    else sendJson(response, completion);
  });
  const log: Started['log'] = [];
  const app = await startApp({
    gatewayUrl: gateway.url,
    env: { ...(await createRecords(engine)).env, ...env },
    overrides: { clock },
    onLog: (line) => log.push(line),
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, gateway, clock, log };
}

interface Reply {
  readonly status?: string;
  readonly code?: string;
  readonly limit?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly message?: string;
}

const facts = `
  ... on Generation { id status }
  ... on GengraphError { code message retryAfterSeconds }
  ... on RateLimitError { limit }`;

/** Creates a chat whose reply is awaited, so that it has ended afterwards. */
async function chat(app: TestApp, text: string, caller?: Caller): Promise<Reply> {
  const { data, errors } = await app.run<{ made: Reply }, object>(
    `mutation ($input: ChatInput!, $key: ID) {
      made: createChatCompletion(input: $input, idempotencyKey: $key) { ${facts} }
    }`,
    { input: ask(text), key: text },
    caller,
  );
  if (!data?.made) throw new Error(JSON.stringify(errors));
  return data.made;
}

async function limitsOf(app: TestApp, caller?: Caller) {
  const { data, errors } = await app.run(ViewerDocument, {}, caller);
  if (!data?.viewer) throw new Error(JSON.stringify(errors));
  return data.viewer.limits;
}

const limited = (limit: string, retryAfterSeconds: number) => ({
  code: 'RATE_LIMITED',
  limit,
  retryAfterSeconds,
  message: expect.stringContaining('Nothing was sent.'),
});

// The tests of the store run every limit on each engine.
describe('a limit', () => {
  test.each([
    ['CREATES_PER_MINUTE', 'MAX_CREATES_PER_MINUTE_PER_OWNER', '2', minuteMs],
    ['CREATES_PER_DAY', 'MAX_CREATES_PER_DAY_PER_OWNER', 'CHAT=2,*=9', dayMs / 2],
    ['TOKENS_PER_DAY', 'MAX_TOKENS_PER_DAY_PER_OWNER', '15', dayMs / 2],
  ])('%s refuses creates until it resets', async (limit, name, value, waitMs) => {
    const { app, gateway, clock, log } = await start({ env: { [name]: value } });
    for (const text of ['a', 'b']) expect(await chat(app, text)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await chat(app, 'c')).toMatchObject(limited(limit, waitMs / 1000));
    clock.advance(waitMs - 1500);
    expect(await chat(app, 'c')).toMatchObject(limited(limit, 2));
    expect(await chat(app, 'a')).toMatchObject({ status: 'SUCCEEDED' });
    expect(gateway.requests).toHaveLength(2);
    expect(log.filter(({ limit: of }) => of !== undefined)).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({
          level: 40,
          msg: 'operation',
          operationType: 'mutation',
          reason: limit,
          limit,
        }),
      ),
    );
    const [before] = await limitsOf(app);
    expect(before).toMatchObject({ name: limit, resetsAt: new Date(noon + waitMs).toISOString() });
    clock.advance(1500);
    expect((await limitsOf(app))[0]?.used).toBe(0);
    expect(await chat(app, 'c')).toMatchObject({ status: 'SUCCEEDED' });
    expect(gateway.requests).toHaveLength(3);
  });

  test('RUNNING refuses creates on every transport until a chat ends', async () => {
    const gateway = await startScriptedGateway();
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: { ...(await createRecords('SQLite')).env, MAX_RUNNING_PER_OWNER: '1', SHUTDOWN_SECONDS: '0.05' },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    const starting = startChat(app, { input: ask('a'), idempotencyKey: 'a' });
    const exchange = await gateway.exchange(0);
    const error = { code: 'RATE_LIMITED', retryAfterSeconds: 10 };
    const refuseAll = async (): Promise<void> => {
      const input = { input: ask('b'), idempotencyKey: 'b' };
      expect(refused(await startChat(app, input))).toMatchObject(error);
      for (const client of [app.wsClient(), app.sseClient()])
        expect(await toEnd(streamChat(client, input))).toMatchObject([{ __typename: 'ChatFailed', error }]);
      const socket = app.wsClient().iterate({ query: startChatQuery, variables: { input: ask('b') } });
      expect((await socket.next()).value).toMatchObject({ data: { startChat: error } });
    };
    // While it is being sent, and while it streams.
    await refuseAll();
    exchange.accept();
    const { id } = made(await starting);
    await refuseAll();
    const twin = made(await startChat(app, { input: ask('a'), idempotencyKey: 'a' }));
    expect(twin.id).toBe(id);
    expect((await limitsOf(app))[0]).toEqual({
      name: 'RUNNING',
      kind: null,
      max: 1,
      used: 1,
      resetsAt: null,
    });
    expect(gateway.requests).toHaveLength(1);
    exchange.send(...words('a'), '[DONE]');
    await expect.poll(async () => (await limitsOf(app))[0]?.used).toBe(0);
    const next = startChat(app, { input: ask('b'), idempotencyKey: 'b' });
    (await gateway.exchange(1)).accept();
    made(await next);
    expect(gateway.requests).toHaveLength(2);
  });

  test('a refused create is free for the day; a forgotten one and a new key are not', async () => {
    const { app, gateway } = await start({ env: { MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=1' } });
    for (const text of ['refuse 1', 'refuse 2'])
      expect(await chat(app, text)).toMatchObject({ code: 'GATEWAY_ERROR' });
    const { id } = made(await startChat(app, { input: ask('a'), idempotencyKey: 'a' }));
    await expect
      .poll(
        async () =>
          (await app.run(DeleteGenerationsDocument, { ids: [id] })).data?.deleteGenerations?.deletedIds,
      )
      .toEqual([id]);
    expect(await chat(app, 'b')).toMatchObject({ limit: 'CREATES_PER_DAY' });
    expect((await limitsOf(app))[0]).toMatchObject({ kind: 'CHAT', max: 1, used: 1 });
    expect(gateway.requests).toHaveLength(3);
  });

  test('a create beyond a limit deletes no record to make room', async () => {
    const env = { MAX_CREATES_PER_DAY_PER_OWNER: '*=2', MAX_RECORDS_PER_OWNER: '2' };
    const { app } = await start({ env });
    for (const text of ['a', 'b']) await chat(app, text);
    expect(await chat(app, 'c')).toMatchObject({ limit: 'CREATES_PER_DAY' });
    const { data } = await app.run<{ generations: { totalCount: number } }, object>(
      '{ generations { totalCount } }',
    );
    expect(data?.generations.totalCount).toBe(2);
  });

  test('an access token counts in its minute', async () => {
    const { app } = await start({
      env: { MAX_CREATES_PER_MINUTE_PER_OWNER: '0', MAX_RUNNING_PER_OWNER: '0' },
    });
    const { data } = await app.run<{ made: Reply }, object>(
      `mutation { made: createAccessToken(input: { name: "t", quota: { isUnlimited: true } }) { ${facts.replace('... on Generation { id status }', '')} } }`,
      {},
      { headers: { authorization: 'sandbox-system', 'new-api-user': '1' } },
    );
    expect(data?.made).toMatchObject({ limit: 'CREATES_PER_MINUTE' });
  });
});

describe.each(engines)('with %s', (engine) => {
  test('twenty twins of the last create are one create, and twenty others are refused', async () => {
    const { app, gateway } = await start({ engine, env: { MAX_CREATES_PER_DAY_PER_OWNER: '*=2' } });
    await chat(app, 'a');
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => chat(app, 'b')).concat(
        Array.from({ length: 20 }, (_, index) => chat(app, `c${index}`)),
      ),
    );
    const ends = replies.map(({ status, limit }) => status ?? limit);
    expect(gateway.requests).toHaveLength(2);
    // Either all twins are accepted, or one of the others is.
    expect(new Set(ends.slice(0, 20)).size).toBe(1);
    expect(ends.filter((end) => end === 'SUCCEEDED')).toHaveLength(ends[0] === 'SUCCEEDED' ? 20 : 1);
  });

  test('the running work of a dead server is settled before a create is refused', async () => {
    const { env, query } = await createRecords(engine);
    const limits = { ...env, MAX_RUNNING_PER_OWNER: '1' };
    const first = await startApp({ env });
    const { data } = await first.run(ViewerDocument, {});
    await first[Symbol.asyncDispose]();
    await query(`
      insert into generations
        (id, owner, kind, status, model, group_id, created_at, is_visible, open_task, instance_id)
      values ('generation_dead', '${data?.viewer?.owner}', 'CHAT', 'RUNNING', '', '', 1000, 1, '', 'dead')`);
    const app = await startApp({ env: limits });
    onTestFinished(() => app[Symbol.asyncDispose]());
    expect(await chat(app, 'a')).toMatchObject({ status: 'SUCCEEDED' });
    const { data: dead } = await app.run<{ generation: unknown }, object>(
      '{ generation(by: { id: "generation_dead" }) { status } }',
    );
    expect(dead?.generation).toEqual({ status: 'FAILED' });
  });
});

describe('the claim `limits` of a token', () => {
  const startSignedIn = (env: Readonly<Record<string, string>> = {}) =>
    start({ env: { ...signInBySecret, ...env } });
  const callerOf = async (user: string, limits: unknown, more: object = {}): Promise<Caller> => ({
    headers: bearer(await mint(user, { claims: { limits, ...more }, now: noon })),
  });

  test('replaces the settings member by member, for its user', async () => {
    const { app } = await startSignedIn({
      MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=1',
      MAX_TOKENS_PER_DAY_PER_OWNER: '100',
      MAX_RUNNING_PER_OWNER: '0',
    });
    const ann = await callerOf(
      'ann',
      { createsPerDay: { CHAT: 2, '*': 5 }, running: null },
      { scope: 'b a' },
    );
    for (const text of ['a', 'b']) expect(await chat(app, text, ann)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await chat(app, 'c', ann)).toMatchObject({ limit: 'CREATES_PER_DAY' });
    const { data } = await app.run(ViewerDocument, {}, ann);
    const resetsAt = '2026-11-21T00:00:00.000Z';
    expect(data?.viewer).toEqual({
      owner: expect.stringMatching(/^@/),
      limits: [
        { name: 'CREATES_PER_DAY', kind: 'CHAT', max: 2, used: 2, resetsAt },
        { name: 'CREATES_PER_DAY', kind: null, max: 5, used: 2, resetsAt },
        { name: 'TOKENS_PER_DAY', kind: null, max: 100, used: 20, resetsAt },
      ],
      scopes: ['a', 'b'],
    });
    const bob = await callerOf('bob', undefined);
    expect(await chat(app, 'a', bob)).toMatchObject({ limit: 'RUNNING', code: 'RATE_LIMITED' });
    const cat = await callerOf('cat', { running: null });
    expect(await chat(app, 'a', cat)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await chat(app, 'b', cat)).toMatchObject({ limit: 'CREATES_PER_DAY' });
  });

  test('replaces creates per day kind by kind, and null removes limits', async () => {
    const { app } = await startSignedIn({
      MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=1,IMAGE=2,*=3',
      MAX_TOKENS_PER_DAY_PER_OWNER: '100',
    });
    const kindsOf = async (limits: unknown): Promise<readonly unknown[]> => {
      const caller = await callerOf('ann', { tokensPerDay: null, ...Object(limits) });
      return (await limitsOf(app, caller)).map(({ kind, max }) => [kind, max]);
    };
    const settings = [
      ['CHAT', 1],
      ['IMAGE', 2],
      [null, 3],
    ];
    expect(await kindsOf({})).toEqual(settings);
    expect(await kindsOf({ createsPerDay: {} })).toEqual(settings);
    const claims = { VIDEO: 0, CHAT: 9, IMAGE: null };
    expect(new Set(await kindsOf({ createsPerDay: claims }))).toEqual(
      new Set([
        ['CHAT', 9],
        [null, 3],
        ['VIDEO', 0],
      ]),
    );
    expect(await kindsOf({ createsPerDay: { '*': null } })).toEqual(settings.slice(0, 2));
    expect(await kindsOf({ createsPerDay: { CHAT: null, IMAGE: null, '*': null } })).toEqual([]);
    expect(await kindsOf({ createsPerDay: null })).toEqual([]);
  });

  test.each([
    [{ createsPerMinut: 1 }, '"createsPerMinut" is unknown: expected createsPerMinute, running, '],
    [
      { running: '1', tokensPerDay: -1 },
      '"running": expected a whole number from 0 to 10000, or null, not "1"; "tokensPerDay": expected a whole number from 0 to 1000000000000, or null, not -1',
    ],
    [
      { createsPerDay: { CHAT: 1.5 } },
      '"createsPerDay.CHAT": expected a whole number from 0 to 1000000000, or null, not 1.5',
    ],
    [{ running: 10_001 }, '"running": expected a whole number from 0 to 10000, or null, not 10001'],
    [{ createsPerDay: 5 }, '"createsPerDay": expected whole numbers by kind, '],
    [
      { createsPerDay: { chat: 5 } },
      '"createsPerDay": there is no kind chat to create. The kinds are CHAT, ',
    ],
    [{ createsPerDay: { LIP_SYNC: 5 } }, '"createsPerDay": there is no kind LIP_SYNC to create.'],
    [
      { createsPerDay: { MULTI_IMAGE_VIDEO: null } },
      '"createsPerDay": there is no kind MULTI_IMAGE_VIDEO to create.',
    ],
    ['5', 'expected an object with createsPerMinute, running, createsPerDay, tokensPerDay, not "5"'],
  ])('of %j is refused with its path and its problem', async (limits, reason) => {
    const { app } = await startSignedIn();
    const { errors } = await app.run(ViewerDocument, {}, await callerOf('ann', limits));
    expect(errors?.[0]?.message).toContain(
      `The token is refused: its claim "limits" is not valid: ${reason}`,
    );
  });

  test.each([
    [{ createsPerMinut: 1 }, 'createsPerMinut'],
    [{ createsPerMinute: '1' }, '"createsPerMinute"'],
    [{ running: -1 }, '"running"'],
    [{ tokensPerDay: 1.5 }, '"tokensPerDay"'],
    [{ createsPerDay: 5 }, '"createsPerDay"'],
    [{ createsPerDay: { CHATS: 5 } }, 'no kind CHATS'],
    [{ createsPerDay: { chat: 5 } }, '"createsPerDay'],
    [{ createsPerDay: JSON.parse('{"__proto__":5}') as unknown }, 'no kind __proto__'],
    [{ createsPerDay: JSON.parse('{"CHAT":5,"__proto__":5}') as unknown }, 'no kind __proto__'],
    [JSON.parse('{"__proto__":5}') as unknown, '__proto__'],
    ['5', 'limits'],
    [null, 'limits'],
    [[], 'limits'],
  ])('makes the token invalid if it is %j', async (limits, reason) => {
    const { app, gateway } = await startSignedIn();
    const { errors } = await app.run(ViewerDocument, {}, await callerOf('ann', limits));
    expect(errors).toMatchObject([
      { message: expect.stringContaining(reason), extensions: { code: 'UNAUTHENTICATED' } },
    ]);
    expect(gateway.requests).toEqual([]);
  });
});

test('a viewer without limits or a token has empty lists, and without a credential there is none', async () => {
  const { app } = await start({});
  const { data } = await app.run(ViewerDocument, {});
  expect(data?.viewer).toEqual({ owner: expect.any(String), limits: [], scopes: [] });
  const { data: none, errors } = await app.run(ViewerDocument, {}, { headers: {} });
  expect(none).toEqual({ viewer: null });
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});

test.each(['LIP_SYNC', 'MULTI_IMAGE_VIDEO'])(
  'a limit of %s, which no create makes, ends the start',
  async (kind) => {
    const env = { MAX_CREATES_PER_DAY_PER_OWNER: `${kind}=5` };
    await expect(startApp({ env })).rejects.toThrow(
      `MAX_CREATES_PER_DAY_PER_OWNER: there is no kind ${kind} to create. The kinds are CHAT, `,
    );
  },
);

test('a limit of an unknown kind ends the start', async () => {
  const env = { MAX_CREATES_PER_DAY_PER_OWNER: 'CHATS=5' };
  await expect(startApp({ env })).rejects.toThrow(/MAX_CREATES_PER_DAY_PER_OWNER: there is no kind CHATS/);
});

test('a create that was refused over a WebSocket is decided again when its operation is repeated', async () => {
  const { app, clock, gateway } = await start({ env: { MAX_CREATES_PER_MINUTE_PER_OWNER: '1' } });
  await chat(app, 'a');
  // The same operation id on two sockets, as a client that reconnects sends it.
  const run = async () => {
    const client = app.wsClient({ generateID: () => 'operation-1' });
    const results = client.iterate({ query: startChatQuery, variables: { input: ask('b') } });
    return (await results.next()).value;
  };
  expect(await run()).toMatchObject({ data: { startChat: { code: 'RATE_LIMITED' } } });
  expect(await run()).toMatchObject({ data: { startChat: { code: 'RATE_LIMITED' } } });
  clock.advance(minuteMs);
  expect(await run()).toMatchObject({ data: { startChat: { __typename: 'Generation' } } });
  expect(gateway.requests).toHaveLength(2);
});
