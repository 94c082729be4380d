import { type Kysely, type RawBuilder, sql, type Updateable } from 'kysely';
import { RecordsFullError } from '../../../errors.ts';
import type { GenerationPatch } from '../../records.ts';
import type { OwnerRecords, RecordLimits } from '../../store.ts';
import { listIds, type NamedIds, nameIds } from '../basics/named-ids.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { GenerationRow, Tables } from '../basics/tables.ts';

/** Members of a generation that can be long. Its size counts them and its task. */
const counted = [
  'prompt',
  'input',
  'output',
  'raw',
  'usage',
  'error',
] as const satisfies readonly (keyof GenerationPatch)[];

export function changesSize(patch: GenerationPatch): boolean {
  // The saves of a running stream leave their output to the end to count.
  return patch.finishedAt !== undefined || counted.some((name) => name in patch);
}

/** SQL expression for a row of `generations`. `octet_length` of a column does not read the value. */
const measuredSize = sizeWith({});

/** `measuredSize` for a statement that also sets these columns: expressions see the values before it. */
export function sizeWith(changes: Updateable<GenerationRow>): RawBuilder<number> {
  const [usage, error] = (['usage', 'error'] as const).map((name) =>
    name in changes ? sql`cast(${changes[name]} as text)` : sql.ref(name),
  );
  return sql<number>`
    coalesce(octet_length(${usage}), 0) + coalesce(octet_length(${error}), 0)
    + coalesce((select sum(octet_length(body)) from contents where contents.generation_id = generations.id), 0)
    + coalesce((select sum(octet_length(body)) from tasks where tasks.generation_id = generations.id), 0)
  `;
}

/** The size of a generation that has no row yet, and no task. */
export function sizeOfRow(
  { usage, error }: Pick<GenerationRow, 'usage' | 'error'>,
  contents: readonly { readonly body: string }[],
): number {
  const bodies = contents.map(({ body }) => body);
  return [usage ?? '', error ?? '', ...bodies].reduce((size, text) => size + Buffer.byteLength(text), 0);
}

/**
 * Counts a new generation, by the size in its row. Call within the transaction that inserts it, as its last statement: all
 * transactions lock the sums of usage before the counts of an owner.
 * @throws RecordsFullError if the owner had no room for it
 */
export async function countInserted(
  db: Kysely<Tables>,
  { owner, size_bytes: size }: Pick<GenerationRow, 'owner' | 'size_bytes'>,
  limits: RecordLimits | undefined,
): Promise<void> {
  const { records, bytes } = await addToOwner(db, owner, { records: 1, bytes: size });
  if (limits && (records > limits.maxRecords || bytes - size >= limits.maxBytes))
    throw new RecordsFullError();
}

/** Call within the transaction that changed the size in the row of a generation. */
export async function countGrowth(db: Kysely<Tables>, owner: string, bytes: number): Promise<void> {
  if (bytes !== 0) await addToOwner(db, owner, { records: 0, bytes });
}

/**
 * Counts the current sizes of generations. `before` are their rows, locked and sorted by id. Call within the transaction that
 * changes their contents or tasks.
 */
export async function countSizes(db: Kysely<Tables>, before: readonly SizeRow[]): Promise<void> {
  if (before.length === 0) return;
  const { rows: after } = await writeSizes(db, nameIds(before.map(({ id }) => id)));
  const sizes = new Map(after.map(({ id, size_bytes }) => [id, size_bytes]));
  const byOwner = [...Map.groupBy(before, ({ owner }) => owner)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  for (const [owner, rows] of byOwner) {
    const bytes = rows.reduce(
      (sum, { id, size_bytes }) => sum + (sizes.get(id) ?? size_bytes) - size_bytes,
      0,
    );
    if (bytes !== 0) await addToOwner(db, owner, { records: 0, bytes });
  }
}

/** Subtracts deleted rows. Call within the transaction that deletes them. */
export async function countDeleted(
  db: Kysely<Tables>,
  deleted: readonly { readonly owner: string; readonly size_bytes: number }[],
): Promise<void> {
  // Sorted, so that concurrent deletions lock the counts in the same order.
  const sorted = deleted.toSorted((left, right) => (left.owner < right.owner ? -1 : 1));
  for (const [owner, rows] of Map.groupBy(sorted, (row) => row.owner)) {
    const bytes = rows.reduce((sum, row) => sum + row.size_bytes, 0);
    const left = await addToOwner(db, owner, { records: -rows.length, bytes: -bytes });
    // Any text could be a credential: a refused create must leave no row for its owner.
    if (left.records === 0) await deleteEmpty(db, { owner });
  }
}

export async function measureRecords(db: Kysely<Tables>, owner: string): Promise<OwnerRecords> {
  const row = await db
    .selectFrom('owner_records')
    .select(['records', 'bytes'])
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row ?? { records: 0, bytes: 0 };
}

type SizeRow = Pick<GenerationRow, 'id' | 'owner' | 'size_bytes'>;

/** No other transaction changes their sizes before this one commits. */
export async function lockSizes(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly SizeRow[]> {
  return ids.length === 0 ? [] : (await selectSizes(db, nameIds(ids))).rows;
}

const selectSizes = prepareQuery((db, ids: NamedIds) =>
  db
    .selectFrom('generations')
    .select(['id', 'owner', 'size_bytes'])
    .where('id', 'in', listIds(ids))
    .orderBy('id')
    .forUpdate(),
);

const writeSizes = prepareQuery((db, ids: NamedIds) =>
  db
    .updateTable('generations')
    .set({ size_bytes: measuredSize })
    .where('id', 'in', listIds(ids))
    .returning(['id', 'size_bytes']),
);

/** Returns the totals after the change. Amounts are BigInt, because SQLite adds JavaScript numbers as floating point. */
async function addToOwner(db: Kysely<Tables>, owner: string, change: OwnerRecords): Promise<OwnerRecords> {
  const { rows } = await addAmounts(db, {
    owner,
    records: BigInt(change.records),
    bytes: BigInt(change.bytes),
  });
  return rows[0] ?? change;
}

/** Not if it counts the creates of a minute. */
const deleteEmpty = prepareQuery((db, { owner }: { readonly owner: string }) =>
  db.deleteFrom('owner_records').where('owner', '=', owner).where('records', '=', 0).where('minute', '=', 0),
);

interface Amounts {
  readonly owner: string;
  readonly records: bigint;
  readonly bytes: bigint;
}

const addAmounts = prepareQuery((db, { owner, records, bytes }: Amounts) =>
  db
    .insertInto('owner_records')
    .values({ owner, records: sql<number>`${records}`, bytes: sql<number>`${bytes}` })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet((row) => ({
        records: sql<number>`owner_records.records + ${row.ref('excluded.records')}`,
        bytes: sql<number>`owner_records.bytes + ${row.ref('excluded.bytes')}`,
      })),
    )
    .returning(['records', 'bytes']),
);
