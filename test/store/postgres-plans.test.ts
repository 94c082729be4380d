import { type CompiledQuery, Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPostgresDialect } from '../../src/store/postgres/postgres-dialect.ts';
import { nextValueQuery, wantedQuery } from '../../src/store/sql/generations/list-branches.ts';
import { countQuery, pageQuery } from '../../src/store/sql/generations/list-generations.ts';
import { dayPart, sentPart, startedPart, tasksPart } from '../../src/store/sql/creations/limit-uses.ts';
import { lastUsesQuery } from '../../src/store/sql/maintenance/deletable.ts';
import { createThreadRecords, threadQuery, turnsQuery } from '../../src/store/sql/generations/threads.ts';
import { migrate } from '../../src/store/sql/migrations/migrations.ts';
import type { Writes } from '../../src/store/sql/basics/database.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createFoundFiles } from '../../src/store/sql/files/file-records.ts';
import { createPollSweeps } from '../../src/store/sql/maintenance/sweep-polls.ts';
import { createWebhookAttempts } from '../../src/store/sql/outgoing/webhook-attempts.ts';
import { createTestPool } from '../support/gated-pool.ts';
import { openSharedDatabase, type SharedDatabase } from '../support/postgres.ts';
import { branches, distinctColumns, pages, wantedColumns } from './list-ranges.ts';
import { noneAbandoned } from './support.ts';

let database: SharedDatabase;
let db: Kysely<Tables>;
const executed: CompiledQuery[] = [];

/** As many rows as the planner needs to prefer an index by its cost. */
const records = 20_000;

beforeAll(async () => {
  database = await openSharedDatabase();
  const pool = createTestPool({ connectionString: database.url, max: 1 });
  db = new Kysely<Tables>({
    dialect: createPostgresDialect(pool),
    log: ({ query }) => void executed.push(query),
  });
  await db.transaction().execute((transaction) => migrate(transaction));
  await database.client.query(`
    insert into generations
      (id, owner, kind, status, model, group_id, created_at, finished_at, is_visible, open_task, instance_id, task_id)
    select 'generation_' || n, case when n % 3 = 0 then 'o' else 'owner' || n % 50 end,
      case when n % 2 = 0 then 'CHAT' else 'SONG' end, case when n % 5 = 0 then 'FAILED' else 'SUCCEEDED' end,
      '"m' || n % 7 || '"', '"g' || n % 11 || '"', n, n, 1, case when n % 4 = 0 then '-' else '' end, null, null
    from generate_series(1, ${records}) as n
  `);
  await database.client.query('vacuum analyze generations');
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The plan, one node per entry from the outside in. */
async function planOf({ sql, parameters }: CompiledQuery): Promise<readonly PlanNode[]> {
  const { rows } = await database.client.query(`explain (format json) ${sql}`, [...parameters]);
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  return flatten(rows[0]['QUERY PLAN'][0].Plan);
}

/** The columns of the conditions that bound the index range. */
function boundColumns(node: PlanNode | undefined): readonly string[] {
  return [...(node?.['Index Cond'] ?? '').matchAll(/\(\(?(\w+) |ROW\((\w+),/g)].map(
    ([, one, row]) => one ?? row ?? '',
  );
}

describe('PostgreSQL reads a page of generations', () => {
  test.each(
    branches.flatMap(([index, branch, , turns]) =>
      pages.map(([name, page, dates]) => ({ name, index, branch, page, filter: { ...dates, ...turns } })),
    ),
  )('($name, $index) from one range of an index, in index order', async ({ index, branch, page, filter }) => {
    const plan = await planOf(pageQuery(db, { owner: 'o', filter, page }, { branch }).compile());
    expect(plan.map((node) => node['Node Type'])).toEqual([
      'Limit',
      expect.stringMatching(/^Index (Only )?Scan$/),
    ]);
    const scan = plan.at(-1);
    expect(scan).toMatchObject({ 'Index Name': `generations_${index}` });
    expect(scan?.Filter).toBeUndefined();
    expect(boundColumns(scan)).toEqual(
      expect.arrayContaining(['owner', ...branch.map(([column]) => column)]),
    );
  });

  test.each(branches)(
    '(%s) and counts it in the same range, up to a limit',
    async (index, branch, _columns, filter) => {
      const request = { owner: 'o', filter, page: { limit: 10_001 } };
      const plan = await planOf(countQuery(db, request, { branch }).compile());
      expect(plan.map((node) => node['Node Type'])).not.toContain('Sort');
      expect(plan.at(-1)).toMatchObject({ 'Index Name': `generations_${index}` });
    },
  );

  test.each(distinctColumns)(
    'with the distinct %s by a loose index scan',
    async (_what, index, branch, column) => {
      for (const last of [undefined, 'x']) {
        const plan = await planOf(nextValueQuery(db, { owner: 'o', branch, column, last }).compile());
        expect(plan.map((node) => node['Node Type'])).toEqual([
          'Limit',
          expect.stringMatching(/^Index (Only )?Scan$/),
        ]);
        expect(plan.at(-1)).toMatchObject({ 'Index Name': `generations_${index}` });
      }
    },
  );

  test.each(wantedColumns)(
    'finds which of the wanted %s occur by one search for each',
    async (_what, index, branch, column) => {
      const plan = await planOf(wantedQuery({ owner: 'o', branch, column, wanted: ['a', 'b'] }).compile(db));
      const scan = plan.find((node) => node['Index Name'] === `generations_${index}`);
      expect(boundColumns(scan)).toEqual(expect.arrayContaining(['owner', column]));
      expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    },
  );
});

describe('PostgreSQL reads what an owner has used of a limit', () => {
  beforeAll(async () => {
    await database.client.query(`
      insert into generations
        (id, owner, kind, status, model, group_id, created_at, finished_at, is_visible, open_task, instance_id, task_id)
      select 'unfinished_' || n, case when n % 10 = 0 then 'o' else 'owner' || n % 50 end, 'CHAT', 'RUNNING', '', '',
        n, null, case when n % 8 = 0 then 0 else 1 end, '', null, case when n % 4 < 2 then 'task' end
      from generate_series(1, ${records}) as n
    `);
    await database.client.query('vacuum analyze generations');
  });

  test.each([
    ['work in progress', startedPart('o', 5), 'generations_in_progress', ['owner']],
    ['tasks', tasksPart('o', 9), 'generations_unfinished_tasks', ['owner', 'created_at']],
    ['creates that are being sent', sentPart('o', 9), 'generations_in_progress', ['owner']],
    ['the sums of a day', dayPart('o', 9), 'usage_days_key', ['owner', 'day']],
  ] as const)('(%s) from one range of an index', async (_what, part, index, columns) => {
    const plan = await planOf(part.compile(db));
    expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    const scan = plan.find((node) => node['Index Name'] === index);
    expect(boundColumns(scan)).toEqual(expect.arrayContaining([...columns]));
  });
});

test('a thread is read by the ids of its turns', async () => {
  const plan = await planOf(threadQuery(db, 'o', 'generation_1').compile());
  const scans = plan.filter((node) => node['Node Type'].includes('Scan'));
  expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  expect(scans.filter((node) => node['Index Name'] === 'generations_pkey').length).toBeGreaterThanOrEqual(3);
});

test('the threads of many pages are measured by the ids of their turns', async () => {
  const ids = Array.from({ length: 2000 }, (_, index) => `generation_${3 * index}`);
  executed.length = 0;
  const sizes = await createThreadRecords({ reader: db }).measureThreads('o', ids);
  expect(sizes[1]).toEqual({ turns: 1, bytes: 0, isWhole: true });
  for (const query of executed) expect(JSON.stringify(await planOf(query))).not.toContain('Seq Scan');
});

test('the files of many pages are read by the ids of their generations', async () => {
  await database.client.query(`
    insert into files (id, owner, generation_id, position, state, attempts, due_at, created_at)
    select 'file_' || n, 'o', 'generation_' || n, 0, 'FAILED', 1, n, n from generate_series(1, ${records}) as n
  `);
  await database.client.query('vacuum analyze files');
  const ids = Array.from({ length: 5000 }, (_, index) => `generation_${3 * index + 3}`);
  executed.length = 0;
  const found = await createFoundFiles({ reader: db }).find('o', ids);
  expect(found.map(({ files }) => files[0]?.generationId)).toEqual(ids);
  const scanned: (string | undefined)[] = [];
  for (const query of executed)
    for (const node of await planOf(query))
      if (node['Node Type'] === 'Seq Scan') scanned.push(node['Relation Name']);
  // The table of objects is empty here.
  expect(scanned.filter((name) => name !== 'file_objects')).toEqual([]);
});

test('the newest turn of each conversation is found without reading all its generations', async () => {
  await database.client.query(`
    insert into generations
      (id, owner, kind, status, model, group_id, created_at, finished_at, is_visible, parent_id, root_id)
    select 'later_' || n, 'o', 'CHAT', 'SUCCEEDED', '', '', n, n, 1, 'root_' || n % 4, 'root_' || n % 4
      from generate_series(1, 5000) as n
  `);
  await database.client.query('vacuum analyze generations');
  // The pages of several aliases are read together.
  const roots = Array.from({ length: 5000 }, (_, index) => `root_${index}`);
  executed.length = 0;
  const found = await createThreadRecords({ reader: db }).findNewestTurns('o', roots);
  expect(found.map((turn) => turn?.id)).toEqual(
    roots.map((_id, index) => (index < 4 ? `later_${index === 0 ? 5000 : 4996 + index}` : undefined)),
  );
  for (const query of executed) {
    const { rows } = await database.client.query(`explain (analyze, format json) ${query.sql}`, [
      ...query.parameters,
    ]);
    const plan = JSON.stringify(rows);
    const read = [...plan.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, count]) => Number(count));
    expect(Math.max(...read)).toBe(100);
    expect(plan).toContain('"Index Name":"generations_newest_turns"');
    expect(plan).not.toMatch(/"Rows Removed by Filter":[1-9]|Seq Scan|"Node Type":"Sort"/);
  }
});

test('the turns of a conversation are read in the order of their index', async () => {
  const plan = await planOf(turnsQuery(db, { owner: 'o', rootId: 'root_1', limit: 10 }).compile());
  expect(plan.map((node) => node['Index Name'])).toContain('generations_newest_turns');
  expect(plan.map((node) => node['Node Type'])).not.toContain('Sort');
});

test('the last use of a conversation is found without reading all its generations', async () => {
  await database.client.query(`
    insert into generations
      (id, owner, kind, status, model, group_id, created_at, finished_at, is_visible, root_id)
    select 'turn_' || n, 'o', 'CHAT', 'SUCCEEDED', '', '', n, n, 1, 'first' from generate_series(1, 5000) as n
  `);
  await database.client.query('analyze generations');
  const query = lastUsesQuery(['first', 'second']).compile(db);
  const { rows } = await database.client.query(`explain (analyze, format json) ${query.sql}`, [
    ...query.parameters,
  ]);
  const plan = JSON.stringify(rows);
  const read = [...plan.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, count]) => Number(count));
  expect(Math.max(...read)).toBe(2);
  expect(plan).not.toMatch(/Rows Removed by Filter|Seq Scan/);
});

test('what has expired by the clock of the database is found by an index', async () => {
  const now = () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  executed.length = 0;
  for (const sweep of createPollSweeps({ leaseClock: now }))
    await sweep(db, { ...noneAbandoned, keysBefore: 0, limit: 5 });
  const statement: Writes['statement'] = (write) => write(db);
  const writes = { transaction: statement, statement, sync: async () => {}, createDeadline: () => Infinity };
  await createWebhookAttempts({ reader: db, writes, now }).giveUp(5);
  await database.client.query(`
    insert into webhook_deliveries
      (webhook_id, event_id, owner, generation_id, kind, status, model, group_id, created_at, finished_at, recorded_at, failing_since)
    select 'w', n, 'o', n, 'CHAT', 'FAILED', '', '', n, n, n, 9000000000000 + n from generate_series(1, 2000) as n
  `);
  await database.client.query('analyze webhook_deliveries; set enable_seqscan = off');
  const conditions: string[] = [];
  for (const query of executed) conditions.push((await planOf(query)).flatMap(boundColumns).join(' '));
  expect(conditions).toEqual([
    expect.stringContaining('followed_until'),
    expect.stringContaining('taken_at'),
    expect.any(String),
    expect.stringContaining('failing_since'),
  ]);
});
