import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSystemClock } from '../../../src/lib/clock.ts';
import { randomId } from '../../../src/lib/ids.ts';
import type { Generation } from '../../../src/store/records.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import type { GenerationFilter } from '../../../src/store/generation-filter.ts';
import type { Store } from '../../../src/store/store.ts';
import type { UsageDimension } from '../../../src/store/usage.ts';
import { serveCalls } from '../child-process.ts';

/** Two stores in files, with few and with many records, and bare SQLite as the baseline for writes. */

const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const owner = 'o'.repeat(43);
type Size = 'few' | 'many';
const placeOf = (size: Size): string => join(directory, size);
const stores = {
  few: await createSqliteStore({ directory: placeOf('few'), clock: createSystemClock() }),
  many: await createSqliteStore({ directory: placeOf('many'), clock: createSystemClock() }),
} as const satisfies Record<Size, Store>;

const plain = new DatabaseSync(join(directory, 'plain.db'));
plain.exec('pragma journal_mode = wal; create table rows (id text primary key, body text)');

/** 90 percent belong to one owner. Statuses and kinds have a realistic distribution. */
const fillGenerations = `
  with recursive numbers(n) as (
    select cast(?1 as integer) union all select n + 1 from numbers where n + 1 < ?2
  )
  insert into generations
    (id, owner, kind, status, model, group_id, created_at, finished_at, is_visible)
  select
    'generation_' || lower(hex(randomblob(10))),
    case when n % 10 = 9 then 'owner' || (n % 1000) else ?3 end,
    case when n % 50 = 0 then 'ANIMATION' when n % 5 = 0 then 'SONG' else 'CHAT' end,
    case when n % 20000 = 1 then 'CANCELED' when n % 30 = 1 then 'FAILED' else 'SUCCEEDED' end,
    '"model-' || (n % 7) || '"',
    case when n % 3 = 0 then '"group-' || (n % 999) || '"' else '' end,
    1700000000000 + n * 1000, 1700000000000 + n * 1000 + 500, 1
  from numbers`;

function fill({ size, from, to }: { size: Size; from: number; to: number }): void {
  const database = new DatabaseSync(join(placeOf(size), 'gengraph.db'));
  database.exec('pragma synchronous = off');
  database.prepare(fillGenerations).run(from, to, owner);
  database.exec(`insert into contents
    select id, 'input', '{"model":"m","messages":[{"role":"user","content":"A prompt of a usual length, say."}]}'
    from generations where created_at >= ${1_700_000_000_000 + from * 1000}
    union all select id, 'prompt', '"A prompt of a usual length, say."'
    from generations where created_at >= ${1_700_000_000_000 + from * 1000}`);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

/** 100 days of sums of one owner. */
function fillSums({ size, perDay }: { size: Size; perDay: number }): void {
  const database = new DatabaseSync(join(placeOf(size), 'gengraph.db'));
  database.exec('pragma synchronous = off');
  database
    .prepare(
      `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < 100 * ?1)
      insert into usage_days
      select
        ?2, 100 + n / cast(?1 as integer), case when n % 5 = 0 then 'SONG' else 'CHAT' end, '"model-' || (n % 7) || '"',
        '"group-' || (n % cast(?1 as integer)) || '"', 9, 8, 1, 0, 0, 8, 1000, 2000, 3000, 100, 200, 0
      from numbers`,
    )
    .run(perDay, owner);
  database.close();
}

interface Sums {
  readonly size: Size;
  readonly days: number;
  readonly groupBy: readonly UsageDimension[];
  readonly count: number;
}

async function sumUsage({ size, days, groupBy, count }: Sums): Promise<Work> {
  const query = { fromDay: 200 - days, toDay: 199, groupBy, limit: 1000 };
  return timed(count, async () => (await stores[size].sumUsage(owner, query))?.length ?? 0);
}

interface Pages {
  readonly size: Size;
  readonly filter: GenerationFilter;
  /** Position of the page, from newest (0) to oldest (1). */
  readonly depth: number;
  readonly total: number;
  readonly count: number;
  /** Oldest first. @default false */
  readonly fromEnd?: boolean;
}

interface Work {
  readonly cpuMicros: number;
  readonly found: number;
}

async function timed(count: number, act: (turn: number) => Promise<number> | number): Promise<Work> {
  let found = 0;
  const before = process.cpuUsage();
  for (let turn = 0; turn < count; turn += 1) found += await act(turn);
  const { user, system } = process.cpuUsage(before);
  return { cpuMicros: user + system, found };
}

async function listPages({ size, filter, depth, total, count, fromEnd = false }: Pages): Promise<Work> {
  const createdAt = 1_700_000_000_000 + Math.floor(total * (1 - depth)) * 1000;
  const after = depth === 0 ? undefined : { createdAt, id: '' };
  return timed(count, async () => {
    const page = await stores[size].listGenerations(owner, filter, { limit: 21, after, fromEnd });
    return page.length;
  });
}

/** Counts as a client sees them: they stop at 10,001. */
function countMatches({ size, filter, count }: Pick<Pages, 'size' | 'filter' | 'count'>): Promise<Work> {
  return timed(count, () => stores[size].countGenerations(owner, filter, 10_001));
}

function newGeneration(): Generation {
  return {
    id: randomId('generation'),
    owner,
    kind: 'CHAT',
    status: 'RUNNING',
    model: 'model-1',
    prompt: 'A prompt of a usual length, say.',
    createdAt: Date.now(),
    input: { model: 'm', messages: [{ role: 'user', content: 'A prompt of a usual length, say.' }] },
    isVisible: false,
  };
}

/** The writes of one create: claim and settle. */
function recordCreates({ size, count }: { size: Size; count: number }): Promise<Work> {
  const store = stores[size];
  return timed(count, async () => {
    const generation = newGeneration();
    const id = randomId('creation');
    const creation = {
      id,
      owner,
      key: `client:${id}`,
      operation: 'chat',
      fingerprint: 'f'.repeat(43),
      phase: 'SENDING',
      subjectId: generation.id,
      createdAt: generation.createdAt,
    } as const;
    await store.claim(creation, generation);
    await store.settle(id, { phase: 'SETTLED', generation: { isVisible: true, finishedAt: Date.now() } });
    return 1;
  });
}

/** Baseline of a create: two rows in two transactions, one of them durable. */
function recordPlainly({ count }: { count: number }): Promise<Work> {
  const insert = plain.prepare('insert into rows (id, body) values (?, ?)');
  const body = JSON.stringify(newGeneration());
  return timed(count, () => {
    for (const synchronous of ['full', 'normal']) {
      plain.exec(`pragma synchronous = ${synchronous}`);
      insert.run(randomId('row'), body);
    }
    return 1;
  });
}

function saveTasks({ size, count }: { size: Size; count: number }): Promise<Work> {
  return timed(count, async (turn) => {
    const raw = { task_id: 'u', status: 'IN_PROGRESS', progress: `${turn}%`, data: [] };
    await stores[size].saveTask({
      id: `task_${turn % 100}`,
      owner,
      kind: 'SONG',
      upstreamId: `u${turn % 100}`,
      status: 'RUNNING',
      updatedAt: turn,
      raw,
    });
    return 1;
  });
}

/** Saves of running chats, each of a text that grows to this length in ten minutes. */
function saveOutputs({ chats, chars }: { chats: number; chars: number }): Promise<Work> {
  const text = 'A word of a reply. '.repeat(Math.ceil(chars / 19));
  const saves = 600;
  return timed(chats, async () => {
    const generation = { ...newGeneration(), isVisible: true };
    const id = randomId('creation');
    const names = { owner, key: undefined, operation: 'chat', fingerprint: 'f', subjectId: generation.id };
    await stores.few.claim({ ...names, id, phase: 'SENDING', createdAt: generation.createdAt }, generation);
    for (let save = 1; save <= saves; save += 1) {
      const content = text.slice(0, Math.round((chars * save) / saves));
      const state = { model: 'm', choices: [{ index: 0, role: 'assistant', content }] };
      const output = { type: 'chat-completion', sequence: save, state };
      await stores.few.saveOutput(generation.id, output);
    }
    return saves;
  });
}

/** Baseline of a save: an insert of this many characters. */
function insertPlainly({ count, chars }: { count: number; chars: number }): Promise<Work> {
  plain.exec('pragma synchronous = normal');
  const insert = plain.prepare('insert into rows (id, body) values (?, ?)');
  const body = 'x'.repeat(chars);
  return timed(count, () => {
    insert.run(randomId('row'), body);
    return 1;
  });
}

function updatePlainly({ count }: { count: number }): Promise<Work> {
  plain.exec('pragma synchronous = normal');
  const upsert = plain.prepare(
    'insert into rows (id, body) values (?, ?) on conflict (id) do update set body = excluded.body',
  );
  return timed(count, (turn) => {
    upsert.run(`task_${turn % 100}`, JSON.stringify({ status: 'RUNNING', turn, raw: { data: [] } }));
    return 1;
  });
}

const calls = {
  fill,
  fillSums,
  listPages,
  countMatches,
  sumUsage,
  recordCreates,
  recordPlainly,
  saveTasks,
  updatePlainly,
  saveOutputs,
  insertPlainly,
};
export type RecordsCalls = typeof calls;

serveCalls(calls);
