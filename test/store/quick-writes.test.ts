import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from 'pg';
import { LimitReachedError, RecordsFullError } from '../../src/errors.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { GenerationPatch } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createStatementGate } from '../support/paused-pool.ts';
import { connectTo, createDatabase } from '../support/postgres.ts';
import { buildCreation, buildGeneration, noneAbandoned, owner } from './support.ts';

const name = 'quick';
const limits = { maxRecords: 40, maxBytes: 1e9 };
const accepted = { phase: 'SETTLED', generation: { isVisible: true } } as const;
const succeeded = {
  status: 'SUCCEEDED',
  isVisible: true,
  finishedAt: 3000,
  usage: { promptTokens: 2, totalTokens: 7 },
  output: { type: 'chat', text: 'π'.repeat(3000) },
  raw: { a: 'b' },
} as unknown as GenerationPatch;

async function open(url: string, hasQuickWrites = true) {
  const gate = createStatementGate(name);
  const clock = createManualClock();
  const store = await createPostgresStore({
    url,
    clock,
    leaseClock: (now = clock.now()) => sql<number>`${now}::bigint`,
    recordLimits: limits,
    hasQuickWrites,
    createPool: gate.createPool,
  });
  onTestFinished(() => store.close());
  gate.pauseBefore(-1);
  return { store, gate };
}

const chat = (id: string) =>
  buildGeneration({ id, kind: 'CHAT', status: 'RUNNING', isVisible: false, finishedAt: undefined });

async function start(store: Store, id: string, key: string | undefined = id): Promise<string> {
  const creation = buildCreation(id, { id: `creation_${id}`, key });
  expect(await store.claim(creation, chat(id))).toBeUndefined();
  return creation.id;
}

/** Statements of one act. */
async function count(gate: { readonly count: number }, act: () => Promise<unknown>): Promise<number> {
  const before = gate.count;
  await act();
  return gate.count - before;
}

test('a create takes two round trips, and the end of its chat one', async () => {
  const { store, gate } = await open(await createDatabase());
  // The first create of a day inserts the sum of the day.
  await store.settle(await start(store, 'first'), accepted);
  let creationId = '';
  expect(await count(gate, async () => (creationId = await start(store, 'second')))).toBe(1);
  expect(await count(gate, () => store.settle(creationId, accepted))).toBe(1);
  expect(await count(gate, () => store.endGeneration('second', succeeded))).toBe(1);
});

test('every write of a create is synced', async () => {
  const url = await createDatabase();
  const { store } = await open(url);
  await store.settle(await start(store, 'first'), accepted);
  const client = await connectTo(url);
  await client.query(`
    create table commits (phase text, setting text);
    create function note_commit() returns trigger language plpgsql as $$
      begin insert into commits values (new.phase, current_setting('synchronous_commit')); return null; end $$;
    create trigger note_commit after insert or update on creations for each row execute function note_commit()`);
  await store.settle(await start(store, 'second'), accepted);
  const { rows } = await client.query('select phase, setting from commits');
  expect(rows).toEqual([
    { phase: 'SENDING', setting: 'on' },
    { phase: 'SETTLED', setting: 'on' },
  ]);
});

test('a create beyond a limit of spending is refused by two reads', async () => {
  const { store, gate } = await open(await createDatabase());
  await store.settle(await start(store, 'first'), accepted);
  const quota = { limits: { running: 1 }, abandonment: noneAbandoned };
  const refusing = () =>
    expect(
      store.claim(buildCreation('second', { key: 'second' }), chat('second'), { quota }),
    ).rejects.toThrow(LimitReachedError);
  expect(await count(gate, refusing)).toBe(2);
});

test('the outputs of chats are saved in one round trip, except of those that have ended', async () => {
  const { store, gate } = await open(await createDatabase());
  for (const id of ['a', 'b']) await store.settle(await start(store, id), accepted);
  await store.endGeneration('b', succeeded);
  const saves = () =>
    Promise.all(['b', 'a', 'none'].map((id) => store.saveOutput(id, { type: 'chat', text: id } as never)));
  let saved: readonly boolean[] = [];
  expect(await count(gate, async () => (saved = await saves()))).toBe(1);
  expect(saved).toEqual([false, true, false]);
  const [left, right] = await store.findGenerations(owner, ['a', 'b']);
  expect([left?.output, right?.output]).toEqual([{ type: 'chat', text: 'a' }, succeeded.output]);
});

const longText = 'π'.repeat(20_000);
const save = (store: Store, id: string, text: string) =>
  store.saveOutput(id, { type: 'chat', text } as never);

test('parts of long outputs are saved in one round trip, and so is the end', async () => {
  const url = await createDatabase();
  const { store, gate } = await open(url);
  const partsOf = async () => {
    const client = await connectTo(url);
    const { rows } = await client.query('select generation_id as id, part from contents order by 1, 2');
    return rows.flatMap(({ id, part }) => (part.startsWith('output') ? [`${id} ${part}`] : []));
  };
  for (const id of ['a', 'b']) {
    await store.settle(await start(store, id), accepted);
    await save(store, id, longText);
  }
  expect(await count(gate, () => save(store, 'a', `${longText}.`))).toBe(1);
  expect(await partsOf()).toEqual(['a output', 'a output+000001', 'b output']);
  const saves = () => Promise.all([save(store, 'a', 'x'.repeat(30_000)), save(store, 'b', `${longText}..`)]);
  await saves();
  expect(await partsOf()).toEqual(['a output', 'b output', 'b output+000001']);
  expect(await count(gate, () => store.endGeneration('b', succeeded))).toBe(1);
  expect(await partsOf()).toEqual(['a output', 'b output']);
  const [a, b] = await store.findGenerations(owner, ['a', 'b']);
  expect([a?.output, b?.output]).toEqual([{ type: 'chat', text: 'x'.repeat(30_000) }, succeeded.output]);
});

const acts: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
  ['an accepted chat', async (store) => store.settle(await start(store, 'g'), accepted)],
  ['a chat without a key', async (store) => store.settle(await start(store, 'g', undefined), accepted)],
  [
    'a chat that succeeds after a save',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      await store.saveOutput('g', { type: 'chat', text: 'part' } as never);
      return store.endGeneration('g', succeeded);
    },
  ],
  [
    'a running chat with a long output',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      for (const end of ['', '.', '..']) await save(store, 'g', longText + end);
      return save(store, 'g', `${longText}...`);
    },
  ],
  [
    'a running chat whose output is written whole again',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      for (const end of ['', '.', longText]) await save(store, 'g', longText + end);
    },
  ],
  [
    'a chat with a long output that succeeds',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      for (const end of ['', '.', '..']) await save(store, 'g', longText + end);
      return store.endGeneration('g', succeeded);
    },
  ],
  [
    'a chat with a long output that is canceled and then succeeds',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      for (const end of ['', '.', '..']) await save(store, 'g', longText + end);
      await store.endGeneration('g', { status: 'CANCELED', finishedAt: 4000, isVisible: true });
      return store.endGeneration('g', succeeded);
    },
  ],
  [
    'a chat with a long output that is canceled elsewhere',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      for (const end of ['', '.', '..']) await save(store, 'g', longText + end);
      return store.endGeneration('g', { status: 'CANCELED', finishedAt: 4000, isVisible: true });
    },
  ],
  [
    'a chat that fails without output',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      return store.endGeneration('g', {
        status: 'FAILED',
        finishedAt: 4000,
        error: { code: 'X', message: '\u0000\ud800' },
        usage: undefined,
      });
    },
  ],
  [
    'a chat that is canceled before it is accepted',
    async (store) => {
      const creationId = await start(store, 'g');
      await store.endGeneration('g', { status: 'CANCELED', finishedAt: 4000, isVisible: true });
      return store.settle(creationId, accepted);
    },
  ],
  [
    'a chat that ends twice',
    async (store) => {
      await store.settle(await start(store, 'g'), accepted);
      await store.endGeneration('g', { status: 'CANCELED', finishedAt: 4000, isVisible: true });
      return store.endGeneration('g', succeeded);
    },
  ],
  [
    'a chat that is settled twice',
    async (store) => {
      const creationId = await start(store, 'g');
      await store.settle(creationId, accepted);
      return store.settle(creationId, accepted);
    },
  ],
  [
    'a create with an unknown outcome',
    async (store) =>
      store.settle(await start(store, 'g'), {
        phase: 'UNKNOWN',
        generation: { status: 'UNKNOWN', finishedAt: 5000, isVisible: true },
      }),
  ],
  [
    'two claims of one key',
    async (store) => {
      await start(store, 'g', 'k');
      const holder = await store.claim(buildCreation('h', { key: 'k', id: 'creation_h' }), chat('h'));
      return holder && { ...holder, instanceId: '' };
    },
  ],
];

test.each(acts)('%s has the records of transactions', async (_what, act) => {
  const outcomes = [];
  for (const isQuick of [false, true]) {
    const url = await createDatabase();
    const { store } = await open(url, isQuick);
    // The sum of the day exists.
    await store.settle(await start(store, 'first'), accepted);
    const result = await act(store);
    outcomes.push({ result, rows: await dump(await connectTo(url), store.instanceId) });
  }
  expect(outcomes[1]).toEqual(outcomes[0]);
});

async function dump(client: Client, instanceId: string): Promise<unknown> {
  const rows = [];
  for (const table of ['creations', 'generations', 'contents', 'usage_days', 'owner_records'])
    rows.push((await client.query(`select * from ${table} as row order by row::text collate "C"`)).rows);
  return JSON.parse(JSON.stringify(rows).replaceAll(instanceId, 'instance'));
}

/** Runs a write that waits for a lock of another transaction, which then commits. */
async function runBlocked<Result>(
  client: Client,
  statements: readonly string[],
  write: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  for (const statement of statements) await client.query(statement);
  const writing = write();
  writing.catch(() => {});
  const blocked = "select 1 from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'";
  while ((await client.query(blocked, [name])).rows.length === 0);
  await client.query('commit');
  return writing;
}

test('a settlement that waits for the cancellation of its generation keeps the cancellation', async () => {
  const url = await createDatabase();
  const { store } = await open(url);
  await store.settle(await start(store, 'first'), accepted);
  const creationId = await start(store, 'g');
  const cancel = "update generations set status = 'CANCELED', finished_at = 5, is_visible = 1 where id = 'g'";
  const settled = await runBlocked(await connectTo(url), [cancel], () => store.settle(creationId, accepted));
  expect(settled).toMatchObject({ status: 'CANCELED', finishedAt: 5 });
  expect(await store.findCreation(owner, 'g')).toMatchObject({ phase: 'SETTLED' });
});

test('a save that waits for the end of its generation leaves the output of the end', async () => {
  const url = await createDatabase();
  const { store } = await open(url);
  await store.settle(await start(store, 'g'), accepted);
  const end = "update generations set status = 'CANCELED', finished_at = 5 where id = 'g'";
  const save = () => store.saveOutput('g', { type: 'chat', text: 'late' } as never);
  expect(await runBlocked(await connectTo(url), [end], save)).toBe(false);
});

test('an end that waits for another end adds its output to it', async () => {
  const url = await createDatabase();
  const { store } = await open(url);
  await store.settle(await start(store, 'g'), accepted);
  const cancel = "update generations set status = 'CANCELED', finished_at = 5 where id = 'g'";
  const ended = await runBlocked(await connectTo(url), [cancel], () => store.endGeneration('g', succeeded));
  expect(ended).toMatchObject({ status: 'CANCELED', finishedAt: 5, usage: { totalTokens: 7 } });
});

test('a settlement and an end that wait for the sum of the day add to the new sum, in one statement', async () => {
  const url = await createDatabase();
  const { store, gate } = await open(url);
  await store.settle(await start(store, 'first'), accepted);
  const creationId = await start(store, 'g');
  const client = await connectTo(url);
  const add = 'update usage_days set generations = generations + 10, succeeded = succeeded + 10';
  const settle = () => runBlocked(client, [add], () => store.settle(creationId, accepted));
  expect(await count(gate, settle)).toBe(1);
  expect(await count(gate, () => runBlocked(client, [add], () => store.endGeneration('g', succeeded)))).toBe(
    1,
  );
  const sums = await store.sumUsage(owner, { fromDay: 0, toDay: 0, groupBy: [], limit: 1 });
  expect(sums).toMatchObject([{ generations: 22n, succeeded: 21n }]);
});

test('an end that waits for the size of its owner adds to the new size, in one statement', async () => {
  const url = await createDatabase();
  const { store, gate } = await open(url);
  await store.settle(await start(store, 'g'), accepted);
  const { bytes } = await store.measureRecords(owner);
  const grow = 'update owner_records set bytes = bytes + 1000000';
  const client = await connectTo(url);
  const end = () => runBlocked(client, [grow], () => store.endGeneration('g', succeeded));
  expect(await count(gate, end)).toBe(1);
  const after = await store.measureRecords(owner);
  expect(after.bytes).toBeGreaterThan(bytes + 1_006_000);
});

test('a claim that waits for the last room of an owner with little room is rolled back', async () => {
  const url = await createDatabase();
  const { store } = await open(url);
  await start(store, 'g');
  const client = await connectTo(url);
  await client.query('update owner_records set records = records + 25');
  const fill = 'update owner_records set records = 40';
  const creation = buildCreation('h', { id: 'creation_h', key: 'h' });
  const claiming = runBlocked(client, [fill], () => store.claim(creation, chat('h')));
  await expect(claiming).rejects.toThrow(RecordsFullError);
  expect(await store.findCreation(owner, 'h')).toBeUndefined();
  expect(await store.findGenerations(owner, ['h'])).toEqual([undefined]);
});

test('a claim that waits for the release of its key gets the key', async () => {
  const url = await createDatabase();
  const { store } = await open(url);
  await start(store, 'g', 'k');
  const release = ['delete from creations where key = \'"k"\'', "delete from generations where id = 'g'"];
  const creation = buildCreation('h', { id: 'creation_h', key: 'k' });
  expect(await runBlocked(await connectTo(url), release, () => store.claim(creation, chat('h')))).toBe(
    undefined,
  );
  expect(await store.findCreation(owner, 'k')).toMatchObject({ subjectId: 'h' });
});
