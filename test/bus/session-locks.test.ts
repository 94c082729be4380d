import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import {
  createPostgresExchange,
  type PostgresExchangeOptions,
} from '../../src/bus/postgres/postgres-exchange.ts';
import { loadConfig } from '../../src/config.ts';
import { openExchange } from '../../src/open-records.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { holdsLock } from '../../src/store/postgres/session-lock.ts';
import type { Store } from '../../src/store/store.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { connectTo, createDatabase, createEmptyDatabase } from '../support/postgres.ts';
import { buildCreation, buildGeneration, owner, record, recoverAll, recovery } from '../store/support.ts';
import { sharingOf } from '../support/sharing.ts';

/** Half of it limits the time to connect, also on a busy machine. */
const leaseMs = 10_000;
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
    return rows[0] as { readonly expires_at: string } | undefined;
  };
  const isLocked = async ({ instanceId }: Store): Promise<boolean> => {
    const { rows } = await client.query(`select ${holdsLock} as held from instances where id = $1`, [
      instanceId,
    ]);
    return (rows[0] as { readonly held: boolean } | undefined)?.held ?? false;
  };
  /** Ends the session of an instance, as the database does when its network is gone. */
  const endSession = ({ instanceId }: Store) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
        and objid = (hashtext('${instanceId}')::bigint & 4294967295)::oid`,
    );
  /** Connects an instance to the others, so that it holds its lock. */
  const connect = async (store: Store, options: Partial<PostgresExchangeOptions> = {}) => {
    // Its time stands still: it does nothing by itself.
    const time = createManualClock();
    const exchange = await createPostgresExchange({
      url,
      instanceId: store.instanceId,
      clock: time,
      random: Math.random,
      timeoutMs: 10_000,
      renewLease: sharingOf(store).renewLease,
      onLost: () => {},
      ...options,
    });
    onTestFinished(() => exchange.close());
    await expect.poll(() => isLocked(store)).toBe(true);
    return { exchange, time };
  };
  /** Lets the lease of all but `judge` expire, which renews its own in time. */
  const expireOthers = async (judge: Store): Promise<void> => {
    for (let renewals = 0; renewals < 40; renewals += 1) {
      clock.advance(leaseMs / 4);
      await sharingOf(judge).renewLease();
    }
  };
  return { url, clock, openStore, connect, endSession, isLocked, stateOf, expireOthers };
}

test('an instance that holds its lock is alive, also long after its lease has expired or the clock of the database steps', async () => {
  const { clock, openStore, connect, expireOthers } = await openDatabase();
  const [frozen, judge] = [await openStore(), await openStore()];
  await connect(frozen);
  const [sent, duplicate] = [buildGeneration(), buildGeneration()];
  const creation = buildCreation(sent.id);
  await frozen.claim(creation, sent);
  const chat = await record(frozen, running);
  await expireOthers(judge);
  for (const stepMs of [0, 40_000, -80_000]) {
    clock.step(stepMs);
    expect(await recoverAll(judge)).toEqual([]);
    expect(await judge.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ id: creation.id });
    expect(await sharingOf(judge).isAlive(frozen.instanceId)).toBe(true);
  }
  expect(await frozen.findEnded([chat.id])).toEqual([]);
});

test('a live instance that does not renew its lease loses its polls, and takes none back when it continues', async () => {
  const { clock, openStore, connect, expireOthers } = await openDatabase();
  const [frozen, judge] = [await openStore(), await openStore()];
  await connect(frozen);
  const target = { owner, round: 'music' };
  expect(await sharingOf(frozen).polls.claim(target)).toMatchObject({ holder: frozen.instanceId });
  // After an outage, all leases have expired, and nobody judges by them.
  clock.advance(40 * leaseMs);
  expect(await sharingOf(judge).polls.findResponsive()).toEqual([frozen.instanceId]);
  expect(await sharingOf(judge).polls.claim(target)).toMatchObject({ holder: frozen.instanceId });
  await expireOthers(judge);
  expect(await sharingOf(judge).isAlive(frozen.instanceId)).toBe(true);
  expect(await sharingOf(judge).polls.findResponsive()).toEqual([]);
  expect(await sharingOf(judge).polls.claim(target)).toMatchObject({ holder: judge.instanceId });
  await sharingOf(frozen).renewLease();
  clock.advance(leaseMs / 4);
  await sharingOf(judge).renewLease();
  expect(await sharingOf(frozen).polls.claim(target)).toMatchObject({ holder: judge.instanceId });
  expect(await sharingOf(judge).polls.claim(target)).toMatchObject({ holder: judge.instanceId });
});

test('an instance is dead when its lock is free and its lease has expired by the clock of the database, not before', async () => {
  const { clock, openStore, connect, stateOf } = await openDatabase();
  const [killed, judge] = [await openStore(), await openStore()];
  const { exchange } = await connect(killed);
  const chat = await record(killed, running);
  const [sent, duplicate] = [buildGeneration(), buildGeneration()];
  const creation = buildCreation(sent.id);
  await killed.claim(creation, sent);
  // The judge trusts leases from then on.
  for (let renewals = 0; renewals < 4; renewals += 1) {
    clock.advance(leaseMs / 4);
    for (const store of [killed, judge]) await sharingOf(store).renewLease();
  }
  await exchange.close();
  const expiresAt = Number((await stateOf(killed))?.expires_at);
  while (clock.now() + leaseMs / 4 < expiresAt) {
    expect(await recoverAll(judge)).toEqual([]);
    expect(await judge.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ id: creation.id });
    clock.advance(leaseMs / 4);
    await sharingOf(judge).renewLease();
  }
  clock.advance(expiresAt - clock.now() - 1);
  expect(await recoverAll(judge)).toEqual([]);
  clock.advance(1);
  expect(await recoverAll(judge)).toMatchObject([
    { id: sent.id, status: 'UNKNOWN' },
    { id: chat.id, status: 'FAILED' },
  ]);
  expect(await judge.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ phase: 'UNKNOWN' });
});

test('an instance that has no session is alive while it renews its lease', async () => {
  const { clock, openStore, connect } = await openDatabase();
  const [cut, judge] = [await openStore(), await openStore()];
  const { exchange } = await connect(cut);
  await record(cut, running);
  await exchange.close();
  for (let renewals = 0; renewals < 40; renewals += 1) {
    clock.advance(leaseMs / 4);
    for (const store of [cut, judge]) await sharingOf(store).renewLease();
    expect(await recoverAll(judge)).toEqual([]);
  }
});

test('an instance that replaces its session renews its lease before it releases the lock', async () => {
  const { url, openStore, connect, expireOthers, isLocked } = await openDatabase();
  const [thawed, judge] = [await openStore(), await openStore()];
  const network = await startFreezingProxy(url);
  const renewing = Promise.withResolvers<void>();
  const { exchange, time } = await connect(thawed, {
    url: network.url,
    timeoutMs: 500,
    renewLease: async () => {
      await renewing.promise;
      await sharingOf(thawed).renewLease();
    },
  });
  await record(thawed, running);
  await expireOthers(judge);
  // A statement gets no answer in time, as after a pause.
  network.freeze();
  time.advance(1000);
  await expect.poll(() => exchange.connectedAt).toBeUndefined();
  network.thaw();
  expect(await isLocked(thawed)).toBe(true);
  expect(await recoverAll(judge)).toEqual([]);
  renewing.resolve();
  await expect.poll(() => isLocked(thawed)).toBe(false);
  expect(await recoverAll(judge)).toEqual([]);
});

test('an instance that lost its lock and its lease while it was frozen finds its work taken, and corrects an end once', async () => {
  const { openStore, connect, endSession, expireOthers, isLocked } = await openDatabase();
  const [frozen, judge] = [await openStore(), await openStore()];
  // A frozen process does not renew its lease, as others do when their session ends.
  await connect(frozen, { renewLease: async () => {} });
  const [sent, repeated] = [buildGeneration({ isVisible: false }), buildGeneration()];
  const creation = buildCreation(sent.id);
  await frozen.claim(creation, sent);
  const chat = await record(frozen, running);
  // The network to the instance is gone, so the database ends the session.
  await endSession(frozen);
  await expect.poll(() => isLocked(frozen)).toBe(false);
  await expireOthers(judge);
  expect(await recoverAll(judge)).toMatchObject([
    { id: sent.id, status: 'UNKNOWN' },
    { id: chat.id, status: 'FAILED' },
  ]);
  expect(await judge.claim(buildCreation(repeated.id), repeated)).toMatchObject({
    id: creation.id,
    phase: 'UNKNOWN',
  });

  await sharingOf(frozen).renewLease();
  expect(await frozen.findEnded([chat.id])).toEqual([]);
  await frozen.saveOutput(chat.id, { type: 'late' });
  expect(await frozen.endGeneration(chat.id, { status: 'SUCCEEDED', finishedAt: 9999 })).toMatchObject({
    status: 'SUCCEEDED',
    error: undefined,
  });
  const again = { status: 'FAILED', finishedAt: 10_000, error: recovery.interrupted.error } as const;
  expect(await frozen.endGeneration(chat.id, again)).toMatchObject({ status: 'SUCCEEDED', finishedAt: 9999 });
});

test('a DATABASE_LISTEN_URL of another database is refused: the others would not see the lock', async () => {
  const { url, openStore } = await openDatabase();
  const records = await openStore();
  const config = loadConfig({ DATABASE_URL: url, DATABASE_LISTEN_URL: await createEmptyDatabase() });
  const log = pino({ level: 'silent' });
  await expect(openExchange(config, { records, clock: createManualClock(), log })).rejects.toThrow(
    /through DATABASE_LISTEN_URL at \S+: expected the database of DATABASE_URL/,
  );
});
