import { DatabaseSync } from 'node:sqlite';
import { type CompiledQuery, Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { nextValueQuery, wantedQuery } from '../../src/store/sql/generations/list-branches.ts';
import {
  countGenerations,
  countQuery,
  listGenerations,
  pageQuery,
} from '../../src/store/sql/generations/list-generations.ts';
import { dayPart, sentPart, startedPart, tasksPart } from '../../src/store/sql/creations/limit-uses.ts';
import { migrate } from '../../src/store/sql/migrations/migrations.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { branches, distinctColumns, pages, wantedColumns } from './list-ranges.ts';

const database = new DatabaseSync(':memory:');
let statements = 0;
const db = new Kysely<Tables>({
  dialect: createSqliteDialect(database),
  log: () => {
    statements += 1;
  },
});
beforeAll(() => migrate(db));

/** The query plan, as SQLite prints it. */
function planOf({ sql, parameters }: CompiledQuery): string {
  const rows = database.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
  return rows.map(({ detail }) => String(detail)).join('; ');
}

describe('a page of generations', () => {
  test.each(branches.flatMap((branch) => pages.map((page) => [page[0], branch[0], branch, page] as const)))(
    '(%s, %s) reads one range of a covering index, in index order',
    (_page, _index, [index, branch, columns, turns], [, page, dates]) => {
      const filter = { ...dates, ...turns };
      const plan = planOf(pageQuery(db, { owner: 'o', filter, page }, { branch }).compile());
      const bounds = { later: ['<'], last: ['>'], dated: ['>', '<'] }[_page] ?? [];
      const range = bounds.map((sign) => ` AND (created_at,id)${sign}(?,?)`).join('');
      expect(plan).toBe(
        `SEARCH generations USING COVERING INDEX generations_${index} (owner=?${columns}${range})`,
      );
    },
  );

  test.each(branches)(
    '(%s) is counted in one range of a covering index, up to a limit',
    (index, branch, columns, turns) => {
      const filter = { createdAfter: 1, createdBefore: 9 };
      for (const [dates, range] of [
        [{}, ''],
        [filter, ' AND (created_at,id)>(?,?) AND (created_at,id)<(?,?)'],
      ] as const) {
        const request = { owner: 'o', filter: { ...dates, ...turns }, page: { limit: 10_001 } };
        const query = countQuery(db, request, { branch }).compile();
        expect(query.sql).toMatch(/ limit \?\) as "counted"$/);
        // The scan reads the limited rows of the search.
        expect(planOf(query)).toBe(
          `CO-ROUTINE counted; SEARCH generations USING COVERING INDEX generations_${index} (owner=?${columns}${range}); SCAN counted`,
        );
      }
    },
  );

  test.each(distinctColumns)(
    'finds the distinct %s by a loose index scan',
    (_what, index, branch, column, columns) => {
      for (const last of [undefined, 'x']) {
        const plan = planOf(nextValueQuery(db, { owner: 'o', branch, column, last }).compile());
        const range = last === undefined ? '' : ` AND ${column}>?`;
        expect(plan).toBe(
          `SEARCH generations USING COVERING INDEX generations_${index} (owner=?${columns}${range})`,
        );
      }
    },
  );

  test.each(wantedColumns)(
    'finds which of the wanted %s occur by one search for each',
    (_what, index, branch, column, columns) => {
      const query = wantedQuery({ owner: 'o', branch, column, wanted: ['a', 'b'] }).compile(db);
      expect(planOf(query)).toContain(
        `SEARCH generations USING COVERING INDEX generations_${index} (owner=?${columns} AND ${column}>?)`,
      );
      expect(planOf(query)).not.toContain('SCAN generations');
    },
  );

  test('needs few statements for any filter, whatever its owner has made', async () => {
    const models = Array.from({ length: 200 }, (_, place) => `m${place}`);
    const kinds = ['CHAT', 'SONG', 'VIDEO'];
    const statuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN'] as const;
    const all = { models, kinds, statuses };
    const page = { limit: 3 };
    statements = 0;
    expect(await listGenerations(db, { owner: 'many', filter: all, page })).toEqual([]);
    expect(statements).toBe(1);
    await sql`
      with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 999)
      insert into generations
        (id, owner, kind, status, model, group_id, created_at, finished_at, is_visible)
      select 'generation_' || (1000 + n), 'many', case when n % 3 = 0 then 'SONG' else 'CHAT' end, 'FAILED',
        '"m' || (n % 500) || '"', '"g"', n, n, 1 from numbers
    `.execute(db);
    for (const [filter, expected, count] of [
      [all, [1699, 1698, 1697], 400],
      [{ models }, [1699, 1698, 1697], 400],
      [{ kinds: ['SONG'], collection: 'g' }, [1999, 1996, 1993], 334],
      [{ ...all, kinds: ['SONG', 'VIDEO'], collection: 'g' }, [1699, 1696, 1693], 134],
      [{ ...all, statuses: ['SUCCEEDED'], collection: 'g' }, [], 0],
    ] as const) {
      statements = 0;
      const ids = await listGenerations(db, { owner: 'many', filter, page });
      expect(ids).toEqual(expected.map((n) => `generation_${n}`));
      expect(await countGenerations(db, { owner: 'many', filter, limit: 1000 })).toBe(count);
      expect(statements).toBeLessThan(900);
    }
  });
});

describe('what an owner has used of a limit', () => {
  test.each([
    ['work in progress', startedPart('o', 5), 'generations_in_progress (owner=?)'],
    ['tasks', tasksPart('o', 9), 'generations_unfinished_tasks (owner=? AND created_at>?)'],
    ['creates that are being sent', sentPart('o', 9), 'generations_in_progress (owner=?)'],
    ['the sums of a day', dayPart('o', 9), 'sqlite_autoindex_usage_days_1 (owner=? AND day=?)'],
  ])('(%s) is read from one range of an index', (_what, part, range) => {
    const plan = planOf(part.compile(db));
    expect(plan).toContain(range);
    expect(plan).not.toMatch(/SCAN (generations|usage_days)/);
  });
});
