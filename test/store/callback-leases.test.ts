import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { connectTo } from '../support/postgres.ts';
import { createDatabaseRecords } from '../support/records.ts';

const record = { id: 'one', owner: 'owner', body: {}, isPosting: false } as const;

async function openPair() {
  const { env, query } = await createDatabaseRecords();
  const time = { elapsedMs: 0 };
  const open = async () => {
    const store = await createPostgresStore({
      url: env['DATABASE_URL'] ?? '',
      clock: createSystemClock(),
      leaseTimer: () => time.elapsedMs,
    });
    onTestFinished(() => store.close());
    return store;
  };
  const [dead, other] = [await open(), await open()];
  await dead.callbacks.lease?.renew();
  await dead.callbacks.add(record, 10);
  /** Looks for subscriptions, some time after the last look. */
  const look = async (afterMs: number): Promise<readonly string[]> => {
    time.elapsedMs += afterMs;
    await other.callbacks.lease?.hasFree();
    return (await other.callbacks.takeOver(10)).map(({ id }) => id);
  };
  return { url: env['DATABASE_URL'] ?? '', look, query, dead };
}

test('subscriptions that an instance offers when it ends are taken at once, not after its lease', async () => {
  const { look, dead } = await openPair();
  expect(await look(1200)).toEqual([]);
  await dead.callbacks.lease?.offer();
  expect(await look(0)).toEqual(['one']);
});

test('an instance whose timers are late takes the subscriptions of a dead one as soon as others would', async () => {
  const { look, query } = await openPair();
  expect(await look(1200)).toEqual([]);
  await query('update callback_leases set expires_at = 1');
  expect(await look(1200)).toEqual(['one']);
});

test('an instance that has just started takes nothing, because after an outage every lease has expired', async () => {
  const { look, query } = await openPair();
  await query('update callback_leases set expires_at = 1');
  expect(await look(500)).toEqual([]);
  expect(await look(500)).toEqual(['one']);
});

test('after an outage that it has noticed, an instance gives the others time to renew their leases', async () => {
  const { look, query } = await openPair();
  expect(await look(5000)).toEqual([]);
  await query('alter table callback_leases rename to away');
  await expect(look(300)).rejects.toThrow(/callback_leases/);
  await query('alter table away rename to callback_leases');
  await query('update callback_leases set expires_at = 1');
  expect(await look(300)).toEqual([]);
  expect(await look(1000)).toEqual(['one']);
});

test('subscriptions that an owner opens at the same time do not exceed its limit', async () => {
  const { url, dead } = await openPair();
  const [database, watcher] = [await connectTo(url), await connectTo(url)];
  const ids = ['two', 'three', 'four', 'five'];
  // All of them wait for it after they have begun.
  await database.query('begin');
  for (const id of ids)
    await database.query(
      `insert into callbacks (id, owner, holder, body, is_posting) values ('${id}', 'other', 'other', '{}', 0)`,
    );
  const adding = Promise.all(ids.map((id) => dead.callbacks.add({ ...record, id }, 3)));
  const blocked =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await watcher.query(blocked)).rows.length < ids.length);
  await database.query('rollback');
  expect((await adding).toSorted()).toEqual(['added', 'added', 'full', 'full']);
});
