import type { Kysely, OnConflictBuilder, Updateable } from 'kysely';
import { sizeWith } from '../owners/owner-records.ts';
import { isOutputPart } from '../contents/output-parts.ts';
import type { PartialOutput } from '../contents/partial-outputs.ts';
import { prepareQuery } from '../shared/prepared-query.ts';
import { contentParts } from '../contents/content-rows.ts';
import { summaryColumns } from './generation-rows.ts';
import type { ContentPart, ContentRow, GenerationRow, Tables } from '../shared/tables.ts';

/** The statements of every create. */

type RowId = Pick<GenerationRow, 'id'>;

export const selectForUpdate = prepareQuery((db, { id }: RowId) =>
  db
    .selectFrom('generations')
    .select([...summaryColumns, 'size_bytes', 'ended_for'])
    .where('id', '=', id)
    .forUpdate(),
);

export const insertRow = prepareQuery((db, row: GenerationRow) => db.insertInto('generations').values(row));

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

type Bodies = Pick<ContentRow, 'generation_id'> & Partial<Record<ContentPart, string>>;

export const insertContents = prepareQuery((db, { generation_id, ...bodies }: Bodies) =>
  db
    .insertInto('contents')
    .values(contentParts.flatMap((part) => toContentRow(generation_id, part, bodies[part])))
    .onConflict(replaceBody),
);

function toContentRow(
  generation_id: string,
  part: ContentPart,
  body: string | undefined,
): readonly ContentRow[] {
  return body === undefined ? [] : [{ generation_id, part, body }];
}

interface RunningContent extends Pick<PartialOutput, 'id' | 'part' | 'body'> {
  readonly instanceId: string;
}

/** Replaces the output, or a part of it, of a generation that has not ended, or whose end this instance may replace. */
const writeRunning = prepareQuery((db, { id, part, body, instanceId }: RunningContent) =>
  db
    .insertInto('contents')
    .columns(['generation_id', 'part', 'body'])
    .expression((query) =>
      query
        .selectFrom('generations')
        .select((row) => ['id', row.val(part).as('part'), row.val(body).as('body')])
        .where('id', '=', id)
        .where((row) => row.or([row('finished_at', 'is', null), row('ended_for', '=', instanceId)]))
        .forUpdate(),
    )
    .onConflict(replaceBody),
);

/** Returns false if the generation has ended. Call within a transaction. */
export async function saveRunning(
  db: Kysely<Tables>,
  { id, part, body, removesParts }: PartialOutput,
  instanceId: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await writeRunning(db, { id, part, body, instanceId });
  if (numAffectedRows === 0n) return false;
  if (removesParts) await deleteOutputParts(db, { id });
  return true;
}

export const deleteOutputParts = prepareQuery((db, { id }: RowId) =>
  db.deleteFrom('contents').where('generation_id', '=', id).where(isOutputPart()),
);

function replaceBody(conflict: OnConflictBuilder<Tables, 'contents'>) {
  return conflict
    .columns(['generation_id', 'part'])
    .doUpdateSet((row) => ({ body: row.ref('excluded.body') }));
}
