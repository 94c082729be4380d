import { type Kysely, type RawBuilder, sql } from 'kysely';
import { maxTurns } from '../../records.ts';
import type { Store, Thread, ThreadSize } from '../../store.ts';
import { countRows } from '../basics/count-rows.ts';
import { isListed } from './list-branches.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import { isBeyond, isRecordId } from '../basics/columns.ts';
import { readByIds } from '../basics/read-by-ids.ts';
import { fromSummaryRow, type SummaryRow, summaryColumns } from './generation-rows.ts';
import type { Database } from '../basics/database.ts';
import type { Tables } from '../basics/tables.ts';

type ThreadRecords = Pick<
  Store,
  | 'findThread'
  | 'measureThreads'
  | 'listContinuations'
  | 'countContinuations'
  | 'findNewestTurns'
  | 'listTurns'
  | 'measureInlineImages'
>;

export function createThreadRecords({ reader }: Pick<Database, 'reader'>): ThreadRecords {
  return {
    findThread: (owner, id) => findThread(reader, owner, id),
    measureThreads: (owner, ids) => measureThreads(reader, owner, ids),
    async listContinuations(owner, parentId, { limit, after }) {
      if (!isRecordId(parentId)) return [];
      const query = continuationsOf(reader, owner, parentId).select(summaryColumns).limit(limit);
      const rows = await (after ? query.where(isBeyond('>', after)) : query)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(fromSummaryRow);
    },
    async countContinuations(owner, parentId, limit) {
      if (!isRecordId(parentId)) return 0;
      const rows = continuationsOf(reader, owner, parentId).select('id').limit(limit);
      return (await countRows(reader, rows).executeTakeFirst())?.count ?? 0;
    },
    async findNewestTurns(owner, rootIds) {
      const rows = await readByIds(
        rootIds,
        async (ids) => (await newestTurnsQuery(owner, ids).execute(reader)).rows,
      );
      const newest = new Map(rows.map((row) => [row.root_id, fromSummaryRow(row)]));
      return rootIds.map((id) => newest.get(id));
    },
    async listTurns(owner, rootId, limit) {
      if (!isRecordId(rootId)) return [];
      const rows = await turnsQuery(reader, { owner, rootId, limit }).execute();
      const later = rows.map(fromSummaryRow);
      if (later.length === limit) return later;
      const first = await reader
        .selectFrom('generations')
        .select(summaryColumns)
        .where('id', '=', rootId)
        .where('owner', '=', owner)
        .where(isListed)
        .execute();
      return [...later, ...first.map(fromSummaryRow)];
    },
    async measureInlineImages(owner) {
      const [row] = (await sumImages(reader, { owner })).rows;
      return row?.bytes ?? 0;
    },
  };
}

function continuationsOf(db: Kysely<Tables>, owner: string, parentId: string) {
  return db
    .selectFrom('generations')
    .where('parent_id', '=', parentId)
    .where('owner', '=', owner)
    .where(isListed);
}

/** One search of an index for each conversation: a conversation can have all generations of an owner. */
function newestTurnsQuery(owner: string, rootIds: readonly string[]): RawBuilder<SummaryRow> {
  const roots = rootIds.map((id) => sql`(cast(${id} as text))`);
  const columns = summaryColumns.map((name) => sql.ref(`generations.${name}`));
  return sql<SummaryRow>`
    with roots (id) as (values ${sql.join(roots)})
    select ${sql.join(columns)} from roots join generations on generations.id = (
      select turns.id from generations as turns
      where turns.root_id = roots.id and turns.root_id is not null and turns.is_visible = 1
      order by turns.created_at desc, turns.id desc limit 1
    ) where generations.owner = ${owner}`;
}

interface Turns {
  readonly owner: string;
  readonly rootId: string;
  readonly limit: number;
}

/** Those after the first one, newest first. */
export function turnsQuery(db: Kysely<Tables>, { owner, rootId, limit }: Turns) {
  return db
    .selectFrom('generations')
    .select(summaryColumns)
    .where('root_id', '=', rootId)
    .where('root_id', 'is not', null)
    .where('owner', '=', owner)
    .where(isListed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
}

const sumImages = prepareQuery((db, { owner }: { readonly owner: string }) =>
  db
    .selectFrom('generations')
    .select(sql<number>`cast(coalesce(sum(image_bytes), 0) as bigint)`.as('bytes'))
    .where('owner', '=', owner)
    .where('image_bytes', 'is not', null),
);

/** A step of the path from a generation to the first of its conversation. */
interface Step {
  /** Where the path begins. */
  readonly leaf: string;
  readonly id: string;
  readonly parent_id: string | null;
  readonly step: number;
}

/**
 * The generations on the paths from these to the first of their conversations. A path ends before a deleted generation. There
 * are no circles, because a generation is older than those that continue it.
 */
function withPaths(db: Kysely<Tables>, owner: string, ids: readonly string[]) {
  return db.withRecursive('path', (query) =>
    query
      .selectFrom('generations')
      .select(['id as leaf', 'id', 'parent_id', sql<number>`0`.as('step')])
      .where('id', 'in', ids)
      .where('owner', '=', owner)
      .$castTo<Step>()
      .unionAll(
        query
          // The recursive table is not in the types of the query that defines it.
          .selectFrom(sql<Step>`path`.as('below'))
          .innerJoin('generations', 'generations.id', 'below.parent_id')
          .select([
            'below.leaf',
            'generations.id',
            'generations.parent_id',
            sql<number>`below.step + 1`.as('step'),
          ])
          .where('below.step', '<', maxTurns - 1)
          .where('generations.owner', '=', owner),
      ),
  );
}

/** Size of the request and the output of a generation. `octet_length` of a column does not read the value. */
function sizeOfTurn(idColumn: string): RawBuilder<number> {
  return sql<number>`coalesce((
    select sum(octet_length(contents.body)) from contents
    where contents.generation_id = ${sql.ref(idColumn)}
      and (contents.part = 'input' or (contents.part >= 'output' and contents.part < 'output~'))
  ), 0)`;
}

export function threadQuery(db: Kysely<Tables>, owner: string, id: string) {
  return withPaths(db, owner, [id])
    .selectFrom('path')
    .innerJoin('generations', 'generations.id', 'path.id')
    .select(summaryColumns.map((name) => `generations.${name}` as const))
    .select(['path.step', sizeOfTurn('path.id').as('bytes')]);
}

async function findThread(db: Kysely<Tables>, owner: string, id: string): Promise<Thread> {
  if (!isRecordId(id)) return { turns: [], isWhole: false };
  const rows = (await threadQuery(db, owner, id).execute()).toSorted((a, b) => b.step - a.step);
  return {
    turns: rows.map((row) => ({ generation: fromSummaryRow(row), bytes: row.bytes })),
    isWhole: rows[0]?.parent_id === null,
  };
}

async function measureThreads(
  db: Kysely<Tables>,
  owner: string,
  ids: readonly string[],
): Promise<readonly (ThreadSize | undefined)[]> {
  const rows = await readByIds(ids, (wanted) =>
    withPaths(db, owner, wanted)
      .selectFrom('path')
      .select([
        'leaf',
        sql<number>`count(*)`.as('turns'),
        sql<number>`cast(sum(${sizeOfTurn('path.id')}) as bigint)`.as('bytes'),
        sql<number>`max(case when parent_id is null then 1 else 0 end)`.as('is_whole'),
      ])
      .groupBy('leaf')
      .execute(),
  );
  const sizes = new Map(
    rows.map(({ leaf, turns, bytes, is_whole: isWhole }) => [leaf, { turns, bytes, isWhole: isWhole === 1 }]),
  );
  return ids.map((id) => sizes.get(id));
}
