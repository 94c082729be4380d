import { DatabaseSync } from 'node:sqlite';
import { type CompiledQuery, Kysely } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { nextValueQuery } from '../../src/store/sql/generations/list-branches.ts';
import { countQuery, pageQuery } from '../../src/store/sql/generations/list-generations.ts';
import { dayPart, sentPart, startedPart, tasksPart } from '../../src/store/sql/creations/limit-uses.ts';
import { migrate } from '../../src/store/sql/migrations/migrations.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { branches, distinctColumns, pages } from './list-ranges.ts';

const database = new DatabaseSync(':memory:');
const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) });
beforeAll(() => migrate(db));

/** The query plan, as SQLite prints it. */
function planOf({ sql, parameters }: CompiledQuery): string {
  const rows = database.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
  return rows.map(({ detail }) => String(detail)).join('; ');
}

describe('a page of generations', () => {
  test.each(branches.flatMap((branch) => pages.map((page) => [page[0], branch[0], branch, page] as const)))(
    '(%s, %s) reads one range of a covering index, in index order',
    (_page, _index, [index, branch, columns], [, page, filter]) => {
      const plan = planOf(pageQuery(db, { owner: 'o', filter, page }, branch).compile());
      const bounds = { later: ['<'], last: ['>'], dated: ['>', '<'] }[_page] ?? [];
      const range = bounds.map((sign) => ` AND (created_at,id)${sign}(?,?)`).join('');
      expect(plan).toBe(
        `SEARCH generations USING COVERING INDEX generations_${index} (owner=?${columns}${range})`,
      );
    },
  );

  test.each(branches)(
    '(%s) is counted in one range of a covering index, up to a limit',
    (index, branch, columns) => {
      const filter = { createdAfter: 1, createdBefore: 9 };
      for (const [dates, range] of [
        [{}, ''],
        [filter, ' AND (created_at,id)>(?,?) AND (created_at,id)<(?,?)'],
      ] as const) {
        const request = { owner: 'o', filter: dates, page: { limit: 10_001 } };
        const query = countQuery(db, request, branch).compile();
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
