import type { OnConflictBuilder, Updateable } from 'kysely';
import { sizeWith } from './owner-records.ts';
import { prepareQuery } from './prepared-query.ts';
import { contentParts, summaryColumns } from './rows.ts';
import type { ContentPart, ContentRow, GenerationRow, Tables } from './tables.ts';

/** The statements of every create. */

type RowId = Pick<GenerationRow, 'id'>;

export const selectForUpdate = prepareQuery((db, { id }: RowId) =>
  db
    .selectFrom('generations')
    .select([...summaryColumns, 'size_bytes'])
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

export interface PartialOutput {
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** Replaces the output of a generation that has not ended. */
export const saveRunning = prepareQuery((db, { id, body }: PartialOutput) =>
  db
    .insertInto('contents')
    .columns(['generation_id', 'part', 'body'])
    .expression((query) =>
      query
        .selectFrom('generations')
        .select((row) => ['id', row.val<ContentPart>('output').as('part'), row.val(body).as('body')])
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .forUpdate(),
    )
    .onConflict(replaceBody),
);

function replaceBody(conflict: OnConflictBuilder<Tables, 'contents'>) {
  return conflict
    .columns(['generation_id', 'part'])
    .doUpdateSet((row) => ({ body: row.ref('excluded.body') }));
}
