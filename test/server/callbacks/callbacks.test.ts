import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../../src/lib/clock.ts';
import { startLogged } from '../../support/logged-app.ts';
import { chatQuery, ask, made, startChat } from '../../support/chats.ts';
import {
  type CallbackApp,
  type RouterPost,
  startCallbackApp,
  startCallbackRouter,
  subscribeByCallback,
  textOf,
} from '../../support/callback-router.ts';
import { sandboxKey, startApp } from '../../support/app.ts';
import { codeOf } from '../../support/http.ts';
import { createRecords } from '../../support/records.ts';
import { startScriptedGateway, words } from '../../support/scripted-gateway.ts';
import { bearer, mint, signInBySecret } from '../../support/sign-in.ts';

const eventsQuery = /* GraphQL */ `
  subscription ($id: ID!, $after: Int) {
    chatEvents(id: $id, after: $after, minIntervalMs: 0) {
      __typename
      sequence
      soFar {
        choices {
          message {
            content
          }
        }
      }
      ... on ChatDelta {
        fromSequence
        choices {
          content
        }
      }
    }
  }
`;

/** A chat that has sent these words. */
async function runChat({ app, gateway }: Pick<CallbackApp, 'app' | 'gateway'>, ...sent: readonly string[]) {
  const starting = startChat(app, { input: ask('hello'), idempotencyKey: randomUUID() });
  const exchange = await gateway.exchange(gateway.requests.length);
  exchange.send(...words(...sent));
  return { exchange, id: made(await starting).id };
}

/** A chat that a router has the first word of. */
async function followChat(
  started: CallbackApp,
  more: Parameters<typeof subscribeByCallback>[2] | object = {},
) {
  const chat = await runChat(started, 'a');
  const { app, router } = started;
  const variables = { id: chat.id };
  const reply = await subscribeByCallback(app, router, { query: eventsQuery, variables, ...more });
  expect([reply.status, reply.json]).toEqual([200, { data: null }]);
  await router.posts.when(() => textOf(router.events()) === 'a');
  return chat;
}

describe('a callback subscription', () => {
  test('is checked, posted event by event, and completed; its chat is created once', async () => {
    const { app, gateway, router } = await startCallbackApp();
    const variables = { input: ask('hello'), idempotencyKey: 'k' };
    const subscribed = subscribeByCallback(app, router, { query: chatQuery, variables });
    const [check] = await router.when('check');
    expect(check?.headers).toMatchObject({
      'subscription-protocol': 'callback/1.0',
      'content-type': 'application/json',
    });
    expect(check?.body).toMatchObject({ kind: 'subscription', verifier: 'the-verifier' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('a', 'b'));
    const reply = await subscribed;
    expect([reply.status, reply.json]).toEqual([200, { data: null }]);
    await router.posts.when(() => textOf(router.events()) === 'ab');
    exchange.send(...words('c'), '[DONE]');
    exchange.end();
    const [complete] = await router.when('complete');
    expect(complete?.body.errors).toBeUndefined();
    const names = router.events().map((event) => event['__typename']);
    expect([names[0], names.at(-1)]).toEqual(['ChatSnapshot', 'ChatCompleted']);
    expect(textOf(router.events())).toBe('abc');
    expect(gateway.requests).toHaveLength(1);
  });

  test('needs no idempotency key if its id is a UUID, like an operation of a WebSocket', async () => {
    const { app, gateway, router } = await startCallbackApp();
    const variables = { input: ask('hello') };
    const subscriptionId = randomUUID();
    const subscribed = subscribeByCallback(app, router, { query: chatQuery, variables, subscriptionId });
    (await gateway.exchange(0)).send(...words('a'), '[DONE]');
    await subscribed;
    await router.when('complete');
    expect(textOf(router.events())).toBe('a');
    // A router that repeats its request gets the same chat.
    await subscribeByCallback(app, router, { query: chatQuery, variables, subscriptionId });
    await router.when('complete', 2);
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([
    ['generationChanged', '{ generationChanged { __typename ... on GenerationChanged { generationId } } }'],
    ['chatEvents', '($id: ID!) { chatEvents(id: $id) { __typename generationId } }'],
    [
      'an alias in a fragment',
      '($id: ID!) { ...F } fragment F on Subscription { mine: chatEvents(id: $id) { generationId } }',
    ],
  ])('carries the events of %s', async (_name, document) => {
    const started = await startCallbackApp();
    const { app, router } = started;
    const first = await runChat(started, 'a');
    const query = `subscription ${document}`;
    const reply = await subscribeByCallback(app, router, { query, variables: { id: first.id } });
    expect(reply.json).toEqual({ data: null });
    const { id } = document.includes('$id') ? first : await runChat(started, 'b');
    await router.posts.when(() => router.events().some((event) => event['generationId'] === id));
  });

  test.each(['taskProgress(id: $id)', 'tasksProgress(ids: [$id])'])(
    'carries the events of %s',
    async (field) => {
      const router = await startCallbackRouter();
      await using app = await startApp({ env: { CALLBACK_URLS: router.url } });
      const { data } = await app.run<{ made: { task: { id: string } } }, object>(
        'mutation { made: createSong(input: { description: "a", model: SONG_V5 }) { ... on Generation { task { id } } } }',
      );
      const query = `subscription ($id: ID!) { ${field} { id status } }`;
      const variables = { id: data?.made.task.id };
      const reply = await subscribeByCallback(app, router, { query, variables });
      expect(reply.json).toEqual({ data: null });
      await router.posts.when(() => router.events().some((event) => event['id'] === variables.id));
    },
  );

  test('refuses with the error of the operation, and leaves no record', async () => {
    const records = await createRecords('SQLite');
    const { app, router } = await startCallbackApp({ env: records.env });
    const reply = await subscribeByCallback(app, router, { query: eventsQuery, variables: { id: 'none' } });
    expect(codeOf(reply.json)).toBe('NOT_FOUND');
    expect(await records.query('select id from callbacks')).toEqual([]);
  });

  test('is recorded before its check is answered, without the credential and the prompt', async () => {
    const records = await createRecords('SQLite');
    const { app, gateway, router } = await startCallbackApp({ env: records.env });
    const found: unknown[] = [];
    router.answer = async () => {
      found.push(...(await records.query('select * from callbacks')));
      return 204;
    };
    const variables = { input: ask('the secret prompt'), idempotencyKey: 'k' };
    const subscribed = subscribeByCallback(app, router, { query: chatQuery, variables });
    await gateway.exchange(0);
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toMatch(/sk-sandbox|secret prompt/);
    (await gateway.exchange(0)).send('[DONE]');
    await subscribed;
    await router.when('complete');
    await expect.poll(() => records.query('select id from callbacks')).toEqual([]);
  });

  test('posts one event at a time, and a slow router gets fewer and larger ones', async () => {
    const started = await startCallbackApp();
    const { router } = started;
    const { exchange } = await followChat(started);
    const held = Promise.withResolvers<number>();
    let inFlight = 0;
    let most = 0;
    router.answer = async ({ body }) => {
      if (body.action === 'check') return 204;
      inFlight += 1;
      most = Math.max(most, inFlight);
      await held.promise;
      inFlight -= 1;
      return 204;
    };
    const before = router.events().length;
    exchange.send(...words('b'));
    await router.posts.when(() => textOf(router.events()) === 'ab');
    for (const letter of 'cdefghij') exchange.send(...words(letter));
    exchange.send('[DONE]');
    await expect.poll(() => started.app.app.activity.streams).toBe(0);
    held.resolve(204);
    await router.when('complete');
    expect(textOf(router.events())).toBe('abcdefghij');
    // The held one, one with all the rest, and the end.
    expect(router.events().length - before).toBe(3);
    expect(most).toBe(1);
  });

  test('does not wait for posts of another owner that its router answers late', async () => {
    const { app, router } = await startCallbackApp();
    const query = 'subscription { generationChanged { cursor } }';
    let late = 0;
    router.answer = ({ path }) => {
      if (!path.includes('late')) return 204;
      late += 1;
      return 'hang';
    };
    const open = (subscriptionId: string, owner: string) =>
      subscribeByCallback(app, router, {
        query,
        subscriptionId,
        headers: { ...sandboxKey, 'x-end-user': owner },
      });
    // More than the connections to a router.
    for (let index = 0; index < 80; index += 1) open(`late-${index}`, 'ann').catch(() => {});
    await expect.poll(() => late).toBe(16);
    expect((await open('in-time', 'bob')).json).toEqual({ data: null });
    expect(late).toBe(16);
  });

  test('sends heartbeats well within the interval of the router', async () => {
    const started = await startCallbackApp();
    await followChat(started, { heartbeatIntervalMs: 500 });
    const checks = await started.router.when('check', 4);
    for (const [index, { at }] of checks.slice(1).entries())
      expect(at - (checks[index]?.at ?? 0)).toBeGreaterThan(150);
  });

  test('sends heartbeats also while events come: routers may count nothing else', async () => {
    const started = await startCallbackApp();
    const { router } = started;
    const { exchange } = await followChat(started, { heartbeatIntervalMs: 500 });
    router.answer = ({ body }) => {
      if (body.action === 'next') exchange.send(...words('b'));
      return 204;
    };
    exchange.send(...words('b'));
    expect((await router.when('check', 3)).length).toBeGreaterThanOrEqual(3);
  });

  test('sends heartbeats also while the router answers an event late', async () => {
    const started = await startCallbackApp();
    const { router } = started;
    const { exchange } = await followChat(started, { heartbeatIntervalMs: 500 });
    const late = Promise.withResolvers<number>();
    router.answer = ({ body }) => (body.action === 'next' ? late.promise : 204);
    exchange.send(...words('b'), '[DONE]');
    await router.posts.when(() => textOf(router.events()) === 'ab');
    const checks = router.posts.all.filter(({ body }) => body.action === 'check');
    await router.when('check', checks.length + 2);
    late.resolve(204);
    await router.when('complete');
    expect(textOf(router.events())).toBe('ab');
  });

  test('sends heartbeats also while the router answers events of many others of its owner late', async () => {
    const started = await startCallbackApp();
    const { app, router } = started;
    const { id } = await followChat(started, { heartbeatIntervalMs: 500 });
    const own = router.posts.all[0]?.body.id;
    router.answer = ({ body }) => (body.action === 'next' && body.id !== own ? 'hang' : 204);
    // As many as the posts of one owner to one router.
    for (let index = 0; index < 16; index += 1)
      await subscribeByCallback(app, router, { query: eventsQuery, variables: { id } });
    await router.when('next', 17);
    const isHeartbeat = ({ body }: RouterPost) => body.id === own && body.action === 'check';
    const checks = router.posts.all.filter(isHeartbeat).length;
    await router.posts.when((posts) => posts.filter(isHeartbeat).length >= checks + 2);
    expect(router.posts.all.filter(({ body }) => body.action === 'complete')).toEqual([]);
  });

  test('checks every minute if the router wants no heartbeat', async () => {
    const system = createSystemClock();
    const minutes: (() => void)[] = [];
    const after = (ms: number, run: () => void) =>
      ms === 60_000 ? (minutes.push(run), () => {}) : system.after(ms, run);
    const started = await startCallbackApp({ overrides: { clientClock: { ...system, after } } });
    await followChat(started, { heartbeatIntervalMs: 0 });
    expect(await started.router.when('check')).toHaveLength(1);
    // A minute that passes while a post is answered begins again.
    const posts = () => (minutes.splice(0).forEach((run) => run()), started.router.posts.all.length);
    await expect.poll(posts).toBe(3);
    expect(await started.router.when('check')).toHaveLength(2);
  });

  test('repeats what the router fails to answer, in order', async () => {
    const started = await startCallbackApp();
    const { router } = started;
    const { exchange } = await followChat(started);
    let failures = 0;
    router.answer = () => ((failures += 1) <= 2 ? 500 : 204);
    exchange.send(...words('b'), '[DONE]');
    await router.when('complete');
    expect(failures).toBeGreaterThan(2);
    const accepted = router
      .events()
      .filter(
        (event, index, all) =>
          event['sequence'] !== all[index + 1]?.['sequence'] ||
          event['__typename'] !== all[index + 1]?.['__typename'],
      );
    expect(textOf(accepted)).toBe('ab');
  });

  test('is not delayed by a router that answers nothing, however many subscriptions that one has', async () => {
    const [hanging, router] = [await startCallbackRouter(), await startCallbackRouter()];
    const gateway = await startScriptedGateway();
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: { CALLBACK_URLS: `${hanging.url},${router.url}`, SHUTDOWN_SECONDS: '0.05' },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    const { exchange, id } = await followChat({ app, gateway, router });
    // More than the posts of one owner to one router.
    const opened = await Promise.all(
      Array.from({ length: 20 }, () =>
        subscribeByCallback(app, hanging, { query: eventsQuery, variables: { id } }),
      ),
    );
    expect(opened.every(({ status }) => status === 200)).toBe(true);
    hanging.answer = () => 'hang';
    const before = hanging.posts.all.length;
    exchange.send(...words('b'));
    await hanging.posts.when(({ length }) => length >= before + 16);
    exchange.send(...words('c'), '[DONE]');
    await router.when('complete');
    expect(textOf(router.events())).toBe('abc');
  });

  test.each([
    [404, 20],
    [400, 40],
    [413, 40],
    [302, 40],
  ] as const)('ends when its router answers %i; its chat goes on', async (status, level) => {
    const [router, gateway] = [await startCallbackRouter(), await startScriptedGateway()];
    const { app, named, lines } = await startLogged({
      gatewayUrl: gateway.url,
      env: { CALLBACK_URLS: router.url, SHUTDOWN_SECONDS: '0.05' },
    });
    const { exchange, id } = await followChat({ app, gateway, router });
    router.answer = () => status;
    exchange.send(...words('b'));
    const message =
      status === 404
        ? 'callback subscription ended'
        : 'callback subscription ended: its router does not accept its events';
    expect(await named(message)).toMatchObject({ level, outcome: status === 404 ? 'gone' : 'refused' });
    const posts = router.posts.all.length;
    exchange.send(...words('c'), '[DONE]');
    await expect.poll(() => app.app.activity.streams).toBe(0);
    const { data } = await app.run<{ generation: { status: string } }, object>(
      `{ generation(by: { id: "${id}" }) { status } }`,
    );
    expect(data?.generation.status).toBe('SUCCEEDED');
    expect(router.posts.all).toHaveLength(posts);
    expect(JSON.stringify(lines.all)).not.toContain('the-verifier');
  });

  test('counts in the open subscriptions of its owner', async () => {
    const started = await startCallbackApp({ env: { MAX_OPEN_PER_OWNER: '2' } });
    const { app, router } = started;
    await followChat(started);
    const query = 'subscription { generationChanged { cursor } }';
    expect((await subscribeByCallback(app, router, { query })).json).toEqual({ data: null });
    const third = await subscribeByCallback(app, router, { query });
    expect([third.status, codeOf(third.json)]).toEqual([429, 'RATE_LIMITED']);
  });

  test('counts with those of the other processes of its server, against the whole limit', async () => {
    const records = await createRecords('SQLite');
    const siblings = { number: 1, maxOpenPerOwner: 2, offerFigures() {}, readAllFigures: async () => '' };
    const env = { ...records.env, MAX_OPEN_PER_OWNER: '1' };
    const { app, router } = await startCallbackApp({ env, overrides: { siblings } });
    const { data } = await app.run<{ viewer: { owner: string } }, object>('{ viewer { owner } }');
    await records.query(
      `insert into callbacks (id, owner, holder, body, position, is_posting) values ('a', '${data?.viewer.owner}', 'another process', '{}', 'null', 0)`,
    );
    const query = 'subscription { generationChanged { cursor } }';
    expect((await subscribeByCallback(app, router, { query })).status).toBe(200);
  });

  test('ends at the expiry of its token, with an error', async () => {
    const { app, router } = await startCallbackApp({
      env: { ...signInBySecret, AUTH_CLOCK_TOLERANCE_SECONDS: '0' },
    });
    const headers = bearer(await mint('anna', { lifeSeconds: 2 }));
    const query = 'subscription { generationChanged { cursor } }';
    const reply = await subscribeByCallback(app, router, { query, headers });
    expect(reply.json).toEqual({ data: null });
    const [complete] = await router.when('complete');
    expect(complete?.body.errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
  });
});
