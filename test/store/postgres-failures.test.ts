import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { connectTo, createDatabase, createEmptyDatabase } from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import {
  buildAccessToken,
  buildCreation,
  buildGeneration,
  buildTask,
  noneAbandoned,
  recoverAll,
  owner,
  record,
} from './support.ts';
import { sharingOf } from '../support/sharing.ts';

const running = { finishedAt: undefined, status: 'RUNNING' } as const;

/** A store whose connection breaks, once, before it receives a reply that matches. */
async function openBehindProxy() {
  const url = await createDatabase();
  let lost: RegExp | undefined;
  const proxy = await startTcpProxy(url, {
    shouldCut(reply) {
      const isLost = lost?.test(reply) ?? false;
      if (isLost) lost = undefined;
      return isLost;
    },
  });
  const open = async (at: string, leaseMs?: number): Promise<Store> => {
    const store = await createPostgresStore({
      url: at,
      clock: createSystemClock(),
      ...(leaseMs && { leaseMs }),
    });
    onTestFinished(() => store.close());
    return store;
  };
  return {
    store: await open(proxy.url),
    other: await open(url),
    client: await connectTo(url),
    loseReply: (pattern: RegExp) => void (lost = pattern),
  };
}

const unavailable = /^The record store is unavailable: the connection to the database failed/;

test('a claim whose commit got no reply fails, and can be released', async () => {
  const { store, loseReply } = await openBehindProxy();
  const [first, second] = [buildGeneration(), buildGeneration({ isVisible: false })];
  for (const [generation, commit] of [
    [first, /COMMIT/],
    [second, /SELECT 1/],
  ] as const) {
    const creation = buildCreation(generation.id);
    loseReply(commit);
    await expect(store.claim(creation, generation)).rejects.toThrow(unavailable);
    expect(await store.findCreation(owner, 'client:k')).toMatchObject({ id: creation.id });
    await store.release(creation.id);
  }
  expect(await store.findGenerations(owner, [first.id, second.id])).toEqual([undefined, undefined]);
  expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
});

test('a settlement whose commit got no reply can be repeated, even after the task has ended', async () => {
  const { store, other, loseReply } = await openBehindProxy();
  const generation = buildGeneration({ isVisible: false });
  const creation = buildCreation(generation.id);
  await store.claim(creation, generation);
  const task = buildTask({ generationId: generation.id });
  const settle = () =>
    store.settle(creation.id, {
      phase: 'SETTLED',
      generation: { status: 'QUEUED', isVisible: true, taskId: task.id },
      task,
      accessToken: buildAccessToken({ id: 'token_1' }),
    });
  loseReply(/COMMIT/);
  await expect(settle()).rejects.toThrow(unavailable);
  const done = { ...task, status: 'SUCCEEDED' } as const;
  await other.saveTask(done, { status: 'SUCCEEDED', finishedAt: 5000 });
  expect(await settle()).toMatchObject({ id: generation.id, status: 'SUCCEEDED', finishedAt: 5000 });
  expect(await other.findTasks(owner, [task.id])).toEqual([done]);
  expect(await other.countAccessTokens(owner, 5)).toBe(1);
  const sums = await other.sumUsage(owner, { fromDay: 0, toDay: 0, groupBy: [], limit: 1 });
  expect(sums).toMatchObject([{ generations: 1n, succeeded: 1n }]);
});

test('a write that waits for a lock fails at its deadline, and the next one succeeds', async () => {
  const url = await createDatabase();
  const clock = createManualClock();
  const store = await createPostgresStore({ url, clock, timeoutMs: 2000 });
  onTestFinished(() => store.close());
  const generation = buildGeneration();
  await store.claim(buildCreation(generation.id), generation);
  const client = await connectTo(url);
  await client.query('begin; select * from generations for update');
  const end = () => store.endGeneration(generation.id, { status: 'CANCELED', finishedAt: 3000 });
  await expect(end()).rejects.toThrow('The record store is unavailable: the statement took too long');
  await client.query('rollback');
  expect(await end()).toMatchObject({ status: 'CANCELED' });
});

test('a write of a request fails at the deadline of the request, and its transaction leaves nothing', async () => {
  const url = await createDatabase();
  const store = await createPostgresStore({ url, clock: createManualClock() });
  onTestFinished(() => store.close());
  const client = await connectTo(url);
  await client.query('begin; lock table creations');
  const generation = buildGeneration();
  const startedAt = performance.now();
  const claim = store.claim(buildCreation(generation.id), generation, { deadline: startedAt + 300 });
  await expect(claim).rejects.toThrow('The record store is unavailable');
  // Without it, a write has 10 seconds.
  expect(performance.now() - startedAt).toBeLessThan(5000);
  await client.query('rollback');
  expect(await store.claim(buildCreation(generation.id), generation)).toBeUndefined();
});

test('no key expires early because the clock of an instance is ahead or behind', async () => {
  const url = await createDatabase();
  const keyMs = 3_600_000;
  const now = Date.now();
  const open = async (startedAt: number): Promise<Store> => {
    const store = await createPostgresStore({ url, clock: createManualClock(startedAt) });
    onTestFinished(() => store.close());
    return store;
  };
  const claim = async (store: Store, key: string, createdAt: number): Promise<void> => {
    const generation = buildGeneration({ createdAt, finishedAt: createdAt, status: 'SUCCEEDED' });
    const creation = buildCreation(generation.id, { key, createdAt });
    await store.claim(creation, generation);
    await store.settle(creation.id, { phase: 'SETTLED' });
  };
  const [right, ahead, behind] = [await open(now), await open(now + 2 * keyMs), await open(now - 2 * keyMs)];
  await claim(right, 'right', now);
  await claim(behind, 'behind', now - 2 * keyMs);
  for (const store of [right, ahead, behind]) {
    expect(sharingOf(store).now()).toBeGreaterThan(now - keyMs);
    expect(sharingOf(store).now()).toBeLessThan(now + keyMs);
  }
  // Of an hour that is over.
  await claim(right, 'old', now - 2 * keyMs);
  expect((await ahead.sweep({ ...noneAbandoned, keysBefore: now + keyMs, limit: 10 })).deleted).toBe(1);
  for (const key of ['right', 'behind']) expect(await right.findCreation(owner, key)).toBeDefined();

  const failure = { code: 'RATE_LIMITED', message: 'not now' };
  const refused = { phase: 'SETTLED', createdAt: now - 2 * keyMs, failure } as const;
  await behind.claim(buildCreation('generation_x', { ...refused, key: 'refused' }));
  const sent = buildCreation('generation_y', { key: 'refused later', createdAt: now - 2 * keyMs });
  await behind.claim(sent);
  await behind.release(sent.id, { refusal: { failure, at: now - 2 * keyMs, keepsKey: true } });
  await ahead.sweep({ ...noneAbandoned, keysBefore: 0, refusedBefore: now + 2 * keyMs - 600_000, limit: 10 });
  for (const key of ['refused', 'refused later'])
    expect(await right.findCreation(owner, key)).toMatchObject({ failure });

  // A claim that arrives after its server has given up.
  const late = buildCreation('generation_z', { key: 'late' });
  await behind.release(late.id);
  await right.sweep({ ...noneAbandoned, keysBefore: now - keyMs, limit: 10 });
  await expect(behind.claim(late)).rejects.toThrow('creations_pkey');
});

test('a sweep deletes the refused creates that no other server is deleting, and then ends', async () => {
  const url = await createDatabase();
  const store = await createPostgresStore({ url, clock: createManualClock(), minuteClock: 'instance' });
  onTestFinished(() => store.close());
  const failure = { code: 'RATE_LIMITED', message: 'not now' };
  for (const createdAt of [1, 2])
    await store.claim(
      buildCreation('generation_x', { phase: 'SETTLED', key: String(createdAt), createdAt, failure }),
    );
  const client = await connectTo(url);
  await client.query('begin; select * from creations where created_at = 1 for update');
  const expiry = { ...noneAbandoned, keysBefore: 0, refusedBefore: 5, limit: 1 };
  expect((await store.sweep(expiry)).deleted).toBe(1);
  expect(await store.findCreation(owner, '2')).toBeUndefined();
  expect((await store.sweep(expiry)).deleted).toBe(0);
  await client.query('rollback');
});

test('a lease of 10 seconds is renewed every 2.5, also while all other connections wait for a lock', async () => {
  const url = await createDatabase();
  const store = await createPostgresStore({ url, clock: createManualClock(), poolSize: 1 });
  onTestFinished(() => store.close());
  const { leaseIntervals, renewLease } = sharingOf(store);
  expect(leaseIntervals.renewMs).toBe(2500);
  const generation = buildGeneration();
  await store.claim(buildCreation(generation.id), generation);
  const client = await connectTo(url);
  const validMs = async (): Promise<number> => {
    const { rows } = await client.query(
      'select expires_at - (extract(epoch from clock_timestamp()) * 1000)::bigint as ms from instances',
    );
    return Number(rows[0]?.ms);
  };
  await client.query('begin; select * from generations for update');
  const end = store.endGeneration(generation.id, { status: 'CANCELED', finishedAt: 3000 });
  await expect.poll(async () => (await waitingFor(client)).length).toBe(1);
  const before = await validMs();
  await renewLease();
  const after = await validMs();
  expect(after).toBeGreaterThan(before);
  expect(after).toBeLessThanOrEqual(10_000);
  await client.query('rollback');
  expect(await end).toMatchObject({ status: 'CANCELED' });
});

/** Statements that wait for a lock. */
async function waitingFor(client: Awaited<ReturnType<typeof connectTo>>): Promise<readonly unknown[]> {
  const { rows } = await client.query(
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows;
}

test('leases are times of the database: the clocks of the instances do not matter', async () => {
  const url = await createDatabase();
  const [early, late] = [createManualClock(0), createManualClock(9e12)];
  const open = async (clock: typeof early): Promise<Store> => {
    const store = await createPostgresStore({ url, clock });
    onTestFinished(() => store.close());
    return store;
  };
  const [first, second] = [await open(early), await open(late)];
  const [mine, theirs] = [buildGeneration(), buildGeneration()];
  await first.claim(buildCreation(mine.id, { key: 'a' }), mine);
  await second.claim(buildCreation(theirs.id, { key: 'b' }), theirs);
  early.step(1e12);
  late.step(-1e12);
  expect([await first.findOrphans(), await second.findOrphans()]).toEqual([[], []]);
});

test('after an outage, instances get one lease time to renew before others judge them', async () => {
  const url = await createDatabase();
  const clock = createManualClock();
  const leaseMs = 1000;
  const open = async (): Promise<Store> => {
    const store = await createPostgresStore({
      url,
      clock,
      leaseMs,
      leaseClock: (now = clock.now()) => sql<number>`${now}::bigint`,
      leaseTimer: clock.elapsed,
    });
    onTestFinished(() => store.close());
    return store;
  };
  const [dead, alive, judge] = [await open(), await open(), await open()];
  const [lost, kept] = [await record(dead, running), await record(alive, running)];
  clock.advance(30 * leaseMs);
  expect(await judge.findOrphans()).toEqual([]);
  await sharingOf(judge).renewLease();
  expect(await judge.findOrphans()).toEqual([]);
  // An instance that starts now has not seen how long the outage was.
  const started = await open();
  expect(await started.findOrphans()).toEqual([]);
  await sharingOf(alive).renewLease();
  for (let renewals = 0; renewals < 4; renewals += 1) {
    expect(await judge.findOrphans()).toEqual([]);
    clock.advance(leaseMs / 4);
    for (const store of [alive, judge]) await sharingOf(store).renewLease();
  }
  expect(await judge.findOrphans()).toMatchObject([{ id: lost.id }]);
  expect(await alive.findEnded([kept.id])).toEqual([]);
});

test('an instance that was considered dead renews its lease before it sends', async () => {
  const { store, other, client } = await openBehindProxy();
  for (const isVisible of [true, false]) {
    await client.query('delete from instances where id = $1', [store.instanceId]);
    const generation = buildGeneration({ isVisible });
    expect(
      await store.claim(buildCreation(generation.id, { key: generation.id }), generation),
    ).toBeUndefined();
  }
  expect(await other.findOrphans()).toEqual([]);
});

test('a create is not claimed while the lease stays expired', async () => {
  const { store, client } = await openBehindProxy();
  await client.query(`
    create function expire() returns trigger language plpgsql as $$ begin new.expires_at := 0; return new; end $$;
    create trigger expire before insert or update on instances for each row execute function expire();
    update instances set expires_at = 0`);
  const quota = { limits: { running: 5 }, abandonment: noneAbandoned };
  for (const options of [{}, { quota }]) {
    const generation = buildGeneration({ isVisible: false });
    await expect(store.claim(buildCreation(generation.id), generation, options)).rejects.toThrow(
      'The lease of this server expired before a create was sent',
    );
    expect(await store.findGenerations(owner, [generation.id])).toEqual([undefined]);
  }
  expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
});

test('the outcome of a create that a dead instance of an earlier version had claimed is unknown', async () => {
  const { store, other, client } = await openBehindProxy();
  const [generation, duplicate] = [buildGeneration({ isVisible: false }), buildGeneration()];
  const creation = buildCreation(generation.id);
  await store.claim(creation, generation);
  await client.query("update creations set phase = 'CLAIMED'");
  expect(await other.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ id: creation.id });
  await client.query('delete from instances where id = $1', [store.instanceId]);
  expect(await recoverAll(other)).toMatchObject([{ id: generation.id, status: 'UNKNOWN' }]);
  expect(await other.findCreation(owner, 'client:k')).toMatchObject({ phase: 'UNKNOWN' });
});

test.each([1, 4])(
  '%d instances that start at once on an empty database create its tables once',
  async (count) => {
    const url = await createDatabase();
    const stores = await Promise.all(
      Array.from({ length: count }, () =>
        createPostgresStore({ url, clock: createSystemClock(), poolSize: 2 }),
      ),
    );
    for (const store of stores) onTestFinished(() => store.close());
    const secrets = await Promise.all(stores.map((store) => store.secret()));
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
  },
);

test('text columns have byte order, whatever the language of the database', async () => {
  const { client } = await openBehindProxy();
  const { rows } = await client.query(`
    select distinct collation_name from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and table_name not like 'kysely%'
  `);
  expect(rows).toEqual([{ collation_name: 'C' }]);
});

test('tables of another owner, as after a restore by another user, are named as the cause', async () => {
  const url = await createDatabase();
  const client = await connectTo(url);
  const clock = createSystemClock();
  await (await createPostgresStore({ url, clock })).close();
  const user = `other_${new URL(url).pathname.slice(1)}`;
  await client.query(`create role ${user} login password 'word'`);
  onTestFinished(async () => void (await client.query(`drop role ${user}`)));
  const other = new URL(url);
  Object.assign(other, { username: user, password: 'word' });
  await expect(createPostgresStore({ url: other.href, clock })).rejects.toThrow(
    /^The record store is unavailable: the database user lacks a permission: make it the owner of all tables/,
  );
});

test('instances that start at once on an empty database create its tables once', async () => {
  const url = await createEmptyDatabase();
  const clock = createSystemClock();
  const stores = await Promise.all(Array.from({ length: 4 }, () => createPostgresStore({ url, clock })));
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  const secrets = await Promise.all(stores.map((store) => store.secret()));
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
});

test.each([
  ['synchronous_commit', 'off', /synchronous_commit is off/],
  ['default_transaction_isolation', 'serializable', /default_transaction_isolation is serializable/],
])('a database with %s=%s is refused', async (setting, value, reason) => {
  const url = await createEmptyDatabase();
  const client = await connectTo(url);
  await client.query(`alter database ${new URL(url).pathname.slice(1)} set ${setting} = '${value}'`);
  const opening = createPostgresStore({ url, clock: createSystemClock() });
  await expect(opening).rejects.toThrow(reason);
});
