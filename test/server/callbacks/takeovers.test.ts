import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, createSystemClock } from '../../../src/lib/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  type CallbackRouter,
  startCallbackRouter,
  subscribeByCallback,
  textOf,
} from '../../support/callback-router.ts';
import { ask, chatQuery, made, startChat } from '../../support/chats.ts';
import { createRecords, type Engine, type Records } from '../../support/records.ts';
import { type ScriptedGateway, startScriptedGateway, words } from '../../support/scripted-gateway.ts';
import { bearer, mint, signInBySecret } from '../../support/sign-in.ts';

interface Fleet {
  readonly records: Records;
  readonly router: CallbackRouter;
  readonly gateway: ScriptedGateway;
  start(clock?: Clock): Promise<Instance>;
}

interface Instance extends TestApp {
  readonly instanceId: string;
  /** As if the process were frozen, for its callbacks alone: it renews no lease, and its saves do not return. */
  freeze(): void;
  /** Continues it. */
  thaw(): void;
}

async function startFleet(engine: Engine, env: Readonly<Record<string, string>> = {}): Promise<Fleet> {
  const [records, router, gateway] = [
    await createRecords(engine),
    await startCallbackRouter(),
    await startScriptedGateway(),
  ];
  return {
    records,
    router,
    gateway,
    async start(clock = createSystemClock()) {
      let frozen: PromiseWithResolvers<void> | undefined;
      let instanceId = '';
      const wrapStore = (store: Store): Store => {
        ({ instanceId } = store);
        const { callbacks } = store;
        const { lease } = callbacks;
        return {
          ...store,
          callbacks: {
            ...callbacks,
            async save(progress) {
              await frozen?.promise;
              return callbacks.save(progress);
            },
            lease: lease && {
              ...lease,
              async renew() {
                await frozen?.promise;
                return lease.renew();
              },
            },
          },
        };
      };
      const app = await startApp({
        gatewayUrl: gateway.url,
        env: { ...records.env, CALLBACK_URLS: router.url, SHUTDOWN_SECONDS: '0.05', ...env },
        overrides: { wrapStore, clock },
      });
      onTestFinished(() => {
        frozen?.resolve();
        return app[Symbol.asyncDispose]();
      });
      return {
        ...app,
        instanceId,
        freeze: () => void (frozen = Promise.withResolvers()),
        thaw() {
          frozen?.resolve();
          frozen = undefined;
        },
      };
    },
  };
}

const eventsQuery = /* GraphQL */ `
  subscription ($id: ID!) {
    mine: chatEvents(id: $id, minIntervalMs: 0) {
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

async function runChat({ gateway }: Fleet, app: TestApp, ...sent: readonly string[]) {
  const starting = startChat(app, { input: ask('hello'), idempotencyKey: randomUUID() });
  const exchange = await gateway.exchange(gateway.requests.length);
  exchange.send(...words(...sent));
  return { exchange, id: made(await starting).id };
}

/** Resolves when the position is exact: a takeover repeats nothing. */
async function untilSettled({ records }: Fleet, position: unknown): Promise<void> {
  await expect
    .poll(() => records.query('select position, is_posting from callbacks'), { timeout: 20_000 })
    .toEqual([{ position: JSON.stringify(position), is_posting: 0 }]);
}

/** A chat of one instance whose events another one posts. The router has the first one, so that a takeover repeats nothing. */
async function startHeld() {
  const fleet = await startFleet('PostgreSQL');
  const { router } = fleet;
  const [producer, holder] = [await fleet.start(), await fleet.start()];
  const { exchange, id } = await runChat(fleet, producer, 'a');
  const reply = await subscribeByCallback(holder, router, { query: eventsQuery, variables: { id } });
  expect(reply.json).toEqual({ data: null });
  await router.posts.when(() => textOf(router.events()) === 'a');
  await untilSettled(fleet, 1);
  return { fleet, router, producer, holder, exchange };
}

/** Subscriptions of a process that has ended. */
async function addRecorded({ start, records, router }: Fleet, ...bodies: readonly object[]): Promise<void> {
  await (await start()).app.close();
  for (const [index, body] of bodies.entries()) {
    const id = `callback_${index}`;
    const request = { url: `${router.url}/${id}`, subscriptionId: id, verifier: 'v', heartbeatMs: 500 };
    await records.query(
      `insert into callbacks (id, owner, holder, body, is_posting) values ('${id}', 'o', 'dead', '${JSON.stringify({ request, ...body })}', 0)`,
    );
  }
}

const feed = { operation: { document: 'subscription { generationChanged { cursor } }', variables: {} } };

describe('another instance', () => {
  test('takes a subscription whose holder is frozen, from the last acknowledged event, before the router misses a heartbeat', async () => {
    const { fleet, router, producer, holder, exchange } = await startHeld();
    // Leases are trusted only by instances that have renewed or looked for a while.
    await producer.run('{ __typename }');
    holder.freeze();
    const before = router.posts.all.length;
    const frozenAt = performance.now();
    exchange.send(...words('b'));
    await router.posts.when(() => textOf(router.events()) === 'ab');
    const after = router.posts.all.slice(before);
    const [first] = after.filter(({ at }) => at > frozenAt);
    expect(first?.body.action).toBe('check');
    // Without a snapshot: the router had everything up to there.
    expect(router.events().filter((event) => event['__typename'] === 'ChatSnapshot')).toHaveLength(1);
    exchange.send(...words('c'), '[DONE]');
    await router.when('complete');
    // A heartbeat is harmless.
    const others = () => router.posts.all.filter(({ body }) => body.action !== 'check');
    const count = others().length;
    holder.thaw();
    await expect.poll(() => holder.app.activity.watchers).toBe(0);
    expect(textOf(router.events())).toBe('abc');
    expect(others()).toHaveLength(count);
    await expect.poll(() => fleet.records.query('select id from callbacks')).toEqual([]);
  });

  test('sends a snapshot if the router may have had an event that is not acknowledged', async () => {
    const { router, holder, exchange } = await startHeld();
    // The router has the event, but its answer is lost.
    const lost = Promise.withResolvers<number>();
    router.answer = ({ body }) => (body.action === 'next' ? lost.promise : 204);
    exchange.send(...words('b'));
    await router.posts.when(() => textOf(router.events()) === 'ab');
    holder.freeze();
    exchange.send(...words('c'));
    router.answer = () => 204;
    // The holder would repeat the event, but it may have lost the subscription meanwhile.
    lost.resolve(500);
    await router.posts.when(
      () => router.events().filter((event) => event['__typename'] === 'ChatSnapshot').length === 2,
    );
    exchange.send('[DONE]');
    await router.when('complete');
    expect(textOf(router.events())).toBe('abc');
    expect(router.events().filter((event) => event['fromSequence'] === 2)).toHaveLength(1);
  });

  test('takes the subscriptions of one that shuts down at once, and repeats nothing', async () => {
    const { router, holder, exchange } = await startHeld();
    await holder.app.close();
    exchange.send(...words('b'), '[DONE]');
    await router.when('complete');
    expect(textOf(router.events())).toBe('ab');
    expect(router.events().map((event) => event['__typename'])).toEqual([
      'ChatSnapshot',
      'ChatDelta',
      'ChatCompleted',
    ]);
  });
});

describe('a process', () => {
  test.each(['SQLite', 'PostgreSQL'] as const)(
    'continues the subscriptions of the one before it with %s',
    async (engine) => {
      const fleet = await startFleet(engine);
      const { router, gateway } = fleet;
      const first = await fleet.start();
      const { exchange, id } = await runChat(fleet, first, 'a');
      await subscribeByCallback(first, router, { query: eventsQuery, variables: { id } });
      await router.posts.when(() => textOf(router.events()) === 'a');
      exchange.send(...words('b'));
      await first.app.close();
      await fleet.start();
      await router.when('complete');
      // The end of the chat, which the first process recorded when it ended.
      expect(router.events().at(-1)).toMatchObject({ __typename: 'ChatFailed' });
      expect(textOf(router.events())).toBe('ab');
      expect(gateway.requests).toHaveLength(1);
    },
  );

  test('never creates again: it follows what the first one created', async () => {
    const fleet = await startFleet('SQLite');
    const { router, gateway } = fleet;
    const first = await fleet.start();
    const variables = { input: ask('hello'), idempotencyKey: 'k' };
    const subscribed = subscribeByCallback(first, router, { query: chatQuery, variables });
    (await gateway.exchange(0)).send(...words('a'));
    await subscribed;
    await router.posts.when(() => textOf(router.events()) === 'a');
    await first.app.close();
    await fleet.start();
    await router.when('complete');
    expect(textOf(router.events())).toBe('a');
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([
    ['with its key', 0, { code: 'INTERRUPTED', retry: 'SAME_KEY' }],
    ['unless that may have expired', 100, { code: 'OUTCOME_UNKNOWN', retry: 'MAY_CHARGE_AGAIN' }],
  ])('that finds no create lets its client retry %s', async (_name, hoursLater, advice) => {
    const fleet = await startFleet('SQLite');
    const { router, gateway, records } = fleet;
    const first = await fleet.start();
    const variables = { input: ask('hello'), idempotencyKey: 'k' };
    let asked = (): void => {};
    const checked = new Promise<void>((resolve) => (asked = resolve));
    router.answer = () => {
      asked();
      return 'hang';
    };
    void subscribeByCallback(first, router, { query: chatQuery, variables }).catch(() => {});
    await checked;
    const [row] = await records.query('select * from callbacks');
    await first.app.close();
    // As after a crash: the row is still there.
    router.answer = () => 204;
    const { id, owner, body } = row ?? {};
    await records.query('delete from callbacks');
    await records.query(
      `insert into callbacks (id, owner, holder, body, is_posting) values ('${String(id)}', '${String(owner)}', 'dead', '${String(body)}', 0)`,
    );
    const clock = createSystemClock();
    await fleet.start({ ...clock, now: () => clock.now() + hoursLater * 3_600_000 });
    const [complete] = await router.when('complete');
    expect(complete?.body.errors?.[0]?.extensions).toMatchObject(advice);
    expect(gateway.requests).toEqual([]);
  });

  test('says that the outcome of a create without a key is unknown: nothing finds it', async () => {
    const fleet = await startFleet('SQLite');
    const { router } = fleet;
    const document = 'subscription ($generationId: ID!) { chatEvents(id: $generationId) { sequence } }';
    await addRecorded(fleet, { operation: { document, variables: {}, idVariable: 'generationId' } });
    await fleet.start();
    const [complete] = await router.when('complete');
    expect(complete?.body.errors?.[0]?.extensions).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      retry: 'MAY_CHARGE_AGAIN',
    });
  });

  test('does not say that a create was not charged, because it cannot follow it', async () => {
    const fleet = await startFleet('SQLite');
    // As after a return to an older version.
    const document = 'subscription ($generationId: ID!) { chatEvents(id: $generationId) { unknown } }';
    await addRecorded(fleet, { operation: { document, variables: {}, idVariable: 'generationId' } });
    await fleet.records.query("update callbacks set generation_id = 'generation_a'");
    await fleet.start();
    const [complete] = await fleet.router.when('complete');
    expect(complete?.body.errors?.[0]?.extensions).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      retry: 'MAY_CHARGE_AGAIN',
    });
  });

  test('continues all subscriptions but one whose record it cannot read', async () => {
    const fleet = await startFleet('SQLite');
    await addRecorded(fleet, { operation: {} }, feed);
    await fleet.start();
    await fleet.router.posts.when((posts) => posts.some(({ path }) => path === '/callback_1'));
    await expect.poll(() => fleet.records.query('select id from callbacks')).toEqual([{ id: 'callback_1' }]);
  });

  test('lets a subscription wait while too many of its owner are open', async () => {
    const fleet = await startFleet('SQLite', { MAX_OPEN_PER_OWNER: '1' });
    await addRecorded(fleet, feed, feed);
    await fleet.start();
    const { posts } = fleet.router;
    await posts.when((all) => all.filter(({ path }) => path === '/callback_1').length > 1);
    expect(posts.all.map(({ body }) => body.action)).not.toContain('complete');
  });

  test('continues a feed without a gap', async () => {
    const fleet = await startFleet('SQLite');
    const { router, gateway } = fleet;
    const first = await fleet.start();
    const query =
      'subscription { generationChanged { __typename ... on GenerationChanged { generationId generation { status } } } }';
    await subscribeByCallback(first, router, { query });
    const { id } = await runChat(fleet, first, 'a');
    await router.posts.when(() => router.events().length > 0);
    await first.app.close();
    // The chat ended with its process, unseen.
    await fleet.start();
    await router.posts.when(() =>
      router
        .events()
        .some((event) => event['generationId'] === id && JSON.stringify(event).includes('FAILED')),
    );
    expect(gateway.requests).toHaveLength(1);
  });

  test('shows a read failure for what needs the credential of the caller', async () => {
    const router = await startCallbackRouter();
    const records = await createRecords('SQLite');
    const env = { ...records.env, CALLBACK_URLS: router.url, SHUTDOWN_SECONDS: '0.05' };
    const slow = { tokensPerSecond: Number.POSITIVE_INFINITY, taskSeconds: 600 };
    const first = await startApp({ env, sandbox: slow });
    const { data } = await first.run<{ made: { task: { id: string } } }, object>(
      'mutation { made: createSong(input: { description: "a", model: SONG_V5 }) { ... on Generation { task { id } } } }',
    );
    const query = 'subscription ($id: ID!) { taskProgress(id: $id) { id status readFailure { code } } }';
    await subscribeByCallback(first, router, { query, variables: { id: data?.made.task.id } });
    await router.posts.when(() => router.events().length > 0);
    await first.app.close();
    await using _second = await startApp({ env, gatewayUrl: first.sandbox.url });
    await router.posts.when(() => router.events().some((event) => event['readFailure'] !== null));
    expect(router.events().at(-1)).toMatchObject({ readFailure: { code: 'AUTHENTICATION_FAILED' } });
    await first.sandbox.close();
  });

  test('reads on for callers who signed in, with the key of the server', async () => {
    const fleet = await startFleet('SQLite', signInBySecret);
    const { router } = fleet;
    const first = await fleet.start();
    const headers = bearer(await mint('anna'));
    const query = 'subscription { generationChanged { cursor } }';
    const reply = await subscribeByCallback(first, router, { query, headers });
    expect(reply.json).toEqual({ data: null });
    await first.app.close();
    const before = router.posts.all.length;
    await fleet.start();
    await router.posts.when((all) => all.length > before);
    expect(await fleet.records.query('select count(*) as n from callbacks')).toEqual([{ n: 1 }]);
  });
});
