import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgresExchange } from '../../src/bus/postgres/postgres-exchange.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { connectTo, createDatabase } from '../support/postgres.ts';
import { buildCreation, buildGeneration, owner, record, recoverAll } from '../store/support.ts';

const leaseMs = 1000;
const running = { finishedAt: undefined, status: 'RUNNING' } as const;

/** Stores on one database. `clock` is the clock of their leases. The sessions use real time. */
async function openDatabase() {
  const url = await createDatabase();
  const client = await connectTo(url);
  const clock = createManualClock();
  const openStore = async (): Promise<Store> => {
    const store = await createPostgresStore({
      url,
      clock,
      leaseMs,
      leaseClock: (now = clock.now()) => sql<number>`${now}::bigint`,
      leaseTimer: clock.elapsed,
      poolSize: 3,
    });
    onTestFinished(() => store.close());
    return store;
  };
  const stateOf = async ({ instanceId }: Store) => {
    const { rows } = await client.query('select * from instances where id = $1', [instanceId]);
    return rows[0] as { readonly needs_lock: number | null; readonly expires_at: string } | undefined;
  };
  /** Connects an instance to the others. It does nothing by itself while its time stands still, as if frozen. */
  const connect = async (store: Store, isReachable = () => true) => {
    const time = createManualClock();
    let deaths = 0;
    const exchange = await createPostgresExchange({
      url,
      instanceId: store.instanceId,
      clock: time,
      random: Math.random,
      timeoutMs: 10_000,
      renewLease: async (needsLock) => {
        if (isReachable()) await store.renewLease(needsLock);
      },
      onLost: () => {},
    });
    onTestFinished(() => exchange.close());
    exchange.onDeath(() => (deaths += 1));
    /** Lets its time pass until the condition holds. Returns the elapsed time. */
    const until = async (isDone: () => boolean | Promise<boolean>): Promise<number> => {
      const startedAt = time.elapsed();
      await expect
        .poll(async () => {
          time.advance(100);
          return isDone();
        })
        .toBe(true);
      return time.elapsed() - startedAt;
    };
    await expect.poll(async () => (await stateOf(store))?.needs_lock).toBe(1);
    return { exchange, until, hasSeenDeath: () => deaths > 0 };
  };
  /** Lets the lease of all but `judge` expire, which renews its own in time. */
  const expireOthers = async (judge: Store): Promise<void> => {
    for (let renewals = 0; renewals < 40; renewals += 1) {
      clock.advance(leaseMs / 4);
      await judge.renewLease();
    }
  };
  return { client, clock, openStore, connect, stateOf, expireOthers };
}

test('an instance that holds its lock is alive, also long after its lease has expired or the clock of the database steps', async () => {
  const { clock, openStore, connect, expireOthers } = await openDatabase();
  const [frozen, judge] = [await openStore(), await openStore()];
  await connect(frozen);
  const [claimed, duplicate] = [buildGeneration(), buildGeneration()];
  const creation = buildCreation(claimed.id);
  await frozen.claim(creation, claimed);
  const chat = await record(frozen, running);
  await expireOthers(judge);
  for (const stepMs of [0, 40_000, -80_000]) {
    clock.step(stepMs);
    expect(await recoverAll(judge)).toEqual([]);
    expect(await judge.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ id: creation.id });
    expect(await judge.polls.findOthers()).toEqual([frozen.instanceId]);
  }
  expect(await frozen.findEnded([chat.id])).toEqual([]);
  expect(await frozen.markSending(creation.id)).toBe(true);
});

test('a live instance that does not renew its lease loses its polls, and takes none back when it continues', async () => {
  const { clock, openStore, connect, expireOthers } = await openDatabase();
  const [frozen, judge] = [await openStore(), await openStore()];
  await connect(frozen);
  const target = { owner, round: 'music' };
  expect(await frozen.polls.claim(target)).toMatchObject({ holder: frozen.instanceId });
  // After an outage, all leases have expired, and nobody judges by them.
  clock.advance(40 * leaseMs);
  expect(await judge.polls.findResponsive()).toEqual([frozen.instanceId]);
  expect(await judge.polls.claim(target)).toMatchObject({ holder: frozen.instanceId });
  await expireOthers(judge);
  expect(await judge.polls.findOthers()).toEqual([frozen.instanceId]);
  expect(await judge.polls.findResponsive()).toEqual([]);
  expect(await judge.polls.claim(target)).toMatchObject({ holder: judge.instanceId });
  await frozen.renewLease();
  clock.advance(leaseMs / 4);
  await judge.renewLease();
  expect(await frozen.polls.claim(target)).toMatchObject({ holder: judge.instanceId });
  expect(await judge.polls.claim(target)).toMatchObject({ holder: judge.instanceId });
});

test('a lock that is free for 2.5 seconds proves a death before the lease expires, also to an instance that never saw the lock', async () => {
  const { openStore, connect } = await openDatabase();
  const [killed, judge] = [await openStore(), await openStore()];
  const { exchange } = await connect(killed);
  const chat = await record(killed, running);
  await exchange.close();
  const { until, hasSeenDeath } = await connect(judge);
  expect(await until(hasSeenDeath)).toBeGreaterThanOrEqual(2500);
  expect(await recoverAll(judge)).toMatchObject([{ id: chat.id, status: 'FAILED' }]);
});

test('an expired lease proves no death of an instance that needs its lock: it may be replacing its session', async () => {
  const { openStore, connect, expireOthers } = await openDatabase();
  const [thawed, judge] = [await openStore(), await openStore()];
  const { exchange } = await connect(thawed);
  const chat = await record(thawed, running);
  await expireOthers(judge);
  await exchange.close();
  expect(await recoverAll(judge)).toEqual([]);
  // It has no session, and says so: from then on, the lease decides.
  await thawed.renewLease(false);
  expect(await recoverAll(judge)).toEqual([]);
  await expireOthers(judge);
  expect(await recoverAll(judge)).toMatchObject([{ id: chat.id, status: 'FAILED' }]);
});

test('an instance that lost its lock while it was frozen finds its work taken, and changes no ending', async () => {
  const { client, openStore, connect, stateOf } = await openDatabase();
  const [frozen, judge] = [await openStore(), await openStore()];
  let isReachable = true;
  const thawing = await connect(frozen, () => isReachable);
  const { until, hasSeenDeath } = await connect(judge);
  const [claimed, taken] = [buildGeneration(), buildGeneration()];
  const creation = buildCreation(claimed.id);
  await frozen.claim(creation, claimed);
  const chat = await record(frozen, running);
  await until(() => judge.isReady());
  // The network to the instance is gone, so the database ends the session.
  isReachable = false;
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and objid = (hashtext('${frozen.instanceId}')::bigint & 4294967295)::oid`,
  );
  await until(hasSeenDeath);
  expect(await recoverAll(judge)).toMatchObject([{ id: chat.id, status: 'FAILED' }]);
  const takeover = buildCreation(taken.id);
  expect(await judge.claim(takeover, taken)).toBeUndefined();

  isReachable = true;
  await thawing.until(async () => (await stateOf(frozen))?.needs_lock === 1);
  expect(await frozen.markSending(creation.id)).toBe(false);
  expect(await frozen.findEnded([chat.id])).toEqual([chat.id]);
  await frozen.saveOutput(chat.id, { type: 'late' });
  const late = await frozen.endGeneration(chat.id, { status: 'SUCCEEDED', finishedAt: 9999 });
  expect(late).toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
  expect(await judge.markSending(takeover.id)).toBe(true);
});
