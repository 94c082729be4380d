import { type Insertable, type Kysely, type OnConflictBuilder, sql, type Updateable } from 'kysely';
import { sizeWith } from '../owners/owner-records.ts';
import { isOutputPart } from '../contents/output-parts.ts';
import type { PartialOutput } from '../contents/partial-outputs.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import { type ContentName, contentNames } from '../../records.ts';
import { summaryColumns } from './generation-rows.ts';
import type { ContentRow, GenerationRow, Tables } from '../basics/tables.ts';

/** The statements of every create. */

type RowId = Pick<GenerationRow, 'id'>;

export const selectForUpdate = prepareQuery((db, { id }: RowId) =>
  db
    .selectFrom('generations')
    .select([...summaryColumns, 'size_bytes', 'ended_for'])
    .where('id', '=', id)
    .forUpdate(),
);

export const insertRow = prepareQuery((db, row: Insertable<GenerationRow>) =>
  db.insertInto('generations').values(row),
);

export const updateRow = prepareQuery((db, { id, ...changes }: Updateable<GenerationRow> & RowId) =>
  db.updateTable('generations').set(changes).where('id', '=', id),
);

/** Run it after the contents are saved. */
export const updateRowAndSize = prepareQuery((db, { id, ...changes }: Updateable<GenerationRow> & RowId) =>
  db
    .updateTable('generations')
    .set({ ...changes, size_bytes: sizeWith(changes) })
    .where('id', '=', id)
    .returning('size_bytes'),
);

type Bodies = Pick<ContentRow, 'generation_id'> & Partial<Record<ContentName, string>>;

export const insertContents = prepareQuery((db, { generation_id, ...bodies }: Bodies) =>
  db
    .insertInto('contents')
    .values(contentNames.flatMap((part) => toContentRow(generation_id, part, bodies[part])))
    .onConflict(replaceBody),
);

function toContentRow(
  generation_id: string,
  part: ContentName,
  body: string | undefined,
): readonly ContentRow[] {
  return body === undefined ? [] : [{ generation_id, part, body }];
}

/**
 * Replaces outputs, or parts of them, each of another generation. Returns the ids of those that have not ended, or whose end
 * this instance may replace. Call within a transaction if parts are deleted.
 */
export async function saveRunning(
  db: Kysely<Tables>,
  outputs: readonly PartialOutput[],
  instanceId: string,
): Promise<ReadonlySet<string>> {
  const ids = outputs.map(({ id }) => id);
  const running = db
    .selectFrom('generations')
    .select('id')
    .where('id', 'in', ids)
    .where((row) => row.or([row('finished_at', 'is', null), row('ended_for', '=', instanceId)]))
    .orderBy('id')
    .forUpdate();
  const rows = outputs.map(
    ({ id, part, body }) => sql`(cast(${id} as text), cast(${part} as text), cast(${body} as text))`,
  );
  // SQLite takes `on conflict` for the condition of a join unless there is a `where`.
  const saved = await sql<RowId>`
    with outputs (id, part, body) as (values ${sql.join(rows)})
    insert into contents (generation_id, part, body)
    select running.id, part, body from ${running.as('running')} join outputs on outputs.id = running.id where true
    on conflict (generation_id, part) do update set body = excluded.body
    returning generation_id as id`.execute(db);
  const found = new Set(saved.rows.map(({ id }) => id));
  for (const { id, removesParts } of outputs)
    if (removesParts && found.has(id)) await deleteOutputParts(db, { id });
  return found;
}

export const deleteOutputParts = prepareQuery((db, { id }: RowId) =>
  db.deleteFrom('contents').where('generation_id', '=', id).where(isOutputPart()),
);

function replaceBody(conflict: OnConflictBuilder<Tables, 'contents'>) {
  return conflict
    .columns(['generation_id', 'part'])
    .doUpdateSet((row) => ({ body: row.ref('excluded.body') }));
}
