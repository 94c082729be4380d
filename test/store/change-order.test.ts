import { describe, expect, onTestFinished, test } from 'vitest';
import { keptChanges } from '../../src/store/changes.ts';
import type { Store } from '../../src/store/store.ts';
import { connectTo } from '../support/postgres.ts';
import { createRecords, type Engine, engines } from '../support/records.ts';
import { other, owner, record } from './support.ts';

async function open(engine: Engine) {
  const records = await createRecords(engine);
  const store = await records.openStore();
  onTestFinished(() => store.close());
  return { records, store };
}

const idsAfter = async (store: Store, number: number): Promise<readonly string[]> =>
  (await store.listChanges(owner, { from: number + 1, limit: 1000 })).map(({ generationId }) => generationId);

/** A write by another program or by an older version, which knows nothing of changes. */
const write = (id: string): string => `update generations set status = 'FAILED' where id = '${id}'`;

describe('PostgreSQL', () => {
  test('a transaction that commits late has a later change, so a reader does not skip it', async () => {
    const { records, store } = await open('PostgreSQL');
    const [early, late] = [await record(store), await record(store)];
    const { number } = await store.findLastChange(owner);
    const client = await connectTo(records.env['DATABASE_URL'] ?? '');
    await client.query(`begin; ${write(late.id)}`);
    await store.endGeneration(early.id, { raw: 1 });
    const seen = await idsAfter(store, number);
    expect(new Set(seen)).toEqual(new Set([early.id]));
    await client.query('commit');
    expect(await idsAfter(store, number + seen.length)).toEqual([late.id]);
  });

  test('a change has its number until the commit: the next one of its owner waits, others do not', async () => {
    const { records, store } = await open('PostgreSQL');
    const [first, second] = [await record(store), await record(store)];
    const { number } = await store.findLastChange(owner);
    const client = await connectTo(records.env['DATABASE_URL'] ?? '');
    // As in the middle of a commit.
    await client.query(`begin; ${write(first.id)}; set constraints all immediate`);
    let isWritten = false;
    const writing = store.endGeneration(second.id, { raw: 1 }).then(() => (isWritten = true));
    await record(store, { owner: other });
    expect(isWritten).toBe(false);
    expect(await idsAfter(store, number)).toEqual([]);
    await client.query('commit');
    await writing;
    expect((await idsAfter(store, number))[0]).toBe(first.id);
    expect(new Set(await idsAfter(store, number + 1))).toEqual(new Set([second.id]));
  });

  test('a transaction that is rolled back leaves no gap', async () => {
    const { records, store } = await open('PostgreSQL');
    const { id } = await record(store);
    const before = await store.findLastChange(owner);
    const client = await connectTo(records.env['DATABASE_URL'] ?? '');
    await client.query(`begin; ${write(id)}; set constraints all immediate; rollback`);
    expect(await store.findLastChange(owner)).toEqual(before);
    await store.endGeneration(id, { raw: 1 });
    expect((await idsAfter(store, before.number)).length).toBeGreaterThan(0);
  });

  test('a session with another search path can write', async () => {
    const { records, store } = await open('PostgreSQL');
    const { id } = await record(store);
    const { number } = await store.findLastChange(owner);
    const client = await connectTo(records.env['DATABASE_URL'] ?? '');
    await client.query("set search_path = ''");
    await client.query(`update public.generations set status = 'FAILED' where id = '${id}'`);
    expect(await idsAfter(store, number)).toEqual([id]);
  });
});

describe.each(engines)('%s', (engine) => {
  test('writes and deletions by older versions are changes', async () => {
    const { records, store } = await open(engine);
    const { id } = await record(store);
    const { number } = await store.findLastChange(owner);
    await records.query(write(id));
    await records.query(`delete from generations where id = '${id}'`);
    expect(await idsAfter(store, number)).toEqual([id, id]);
  });

  test('an owner keeps a limited number of changes', async () => {
    const { records, store } = await open(engine);
    const { id } = await record(store);
    const theirs = await record(store, { owner: other });
    const marks = `insert into generation_changes (owner, number, generation_id, mark, changed_at)
      select '${owner}', number, '${id}', 1, 1 from numbers`;
    await records.query(
      `with recursive numbers (number) as (
        select 1000 union all select number + 1 from numbers where number < ${keptChanges + 1990}
      ) ${marks}`,
    );
    await records.query(`update owner_changes set number = ${keptChanges + 1990} where owner = '${owner}'`);
    for (let change = 0; change < 20; change += 1) await store.endGeneration(id, { raw: change });
    const { number } = await store.findLastChange(owner);
    const [oldest] = await store.listChanges(owner, { from: 0, limit: 1 });
    expect(number - (oldest?.number ?? 0)).toBeGreaterThanOrEqual(keptChanges - 1);
    expect(number - (oldest?.number ?? 0)).toBeLessThan(keptChanges + 100);
    expect((await store.listChanges(other, { from: 0, limit: 1 }))[0]?.generationId).toBe(theirs.id);
  });
});
