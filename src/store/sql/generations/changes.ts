import type { Kysely } from 'kysely';
import type { Store } from '../../store.ts';
import { isConcurrent } from '../basics/lock-name.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { Tables } from '../basics/tables.ts';

/**
 * A trigger of the engine records a change when a statement sets one of these columns of a visible generation. Every write that
 * clients can see does: it sets the status, or counts the size of what it has written. The saves of running streams do not.
 */
export const changeColumns = 'status, is_visible, size_bytes';

/** The triggers delete changes of an owner beyond `keptChanges`, each time that the number of the last one is a multiple of this. */
export const trimInterval = 100;

export function createChangeRecords(reader: Kysely<Tables>): Pick<Store, 'findLastChange' | 'listChanges'> {
  return {
    async findLastChange(owner) {
      const [row] = (await findLast(reader, { owner })).rows;
      return row ?? { number: 0, mark: 0 };
    },
    async listChanges(owner, { from, limit }) {
      return (await findFrom(reader, { owner, from, limit })).rows;
    },
  };
}

const findLast = prepareQuery((db, { owner }: { readonly owner: string }) =>
  db.selectFrom('owner_changes').select(['number', 'mark']).where('owner', '=', owner),
);

interface ChangesQuery {
  readonly owner: string;
  readonly from: number;
  readonly limit: number;
}

const findFrom = prepareQuery((db, { owner, from, limit }: ChangesQuery) =>
  db
    .selectFrom('generation_changes')
    .select(['number', 'mark', 'generation_id as generationId'])
    .where('owner', '=', owner)
    .where('number', '>=', from)
    .orderBy('number')
    .limit(limit),
);

/**
 * Locks the numbers of the owners of what changed, in one order: the triggers lock them in the order of the writes. Call as the
 * last statement of a transaction.
 */
export async function lockChanges(
  db: Kysely<Tables>,
  changed: readonly { readonly owner: string }[],
): Promise<void> {
  const distinct = [...new Set(changed.map(({ owner }) => owner))];
  if (distinct.length < 2 || !isConcurrent(db)) return;
  await db
    .selectFrom('owner_changes')
    .select('owner')
    .where('owner', 'in', distinct)
    .orderBy('owner')
    .forUpdate()
    .execute();
}

/** Deletes old changes, which are unknown to cursors then. Run it outside of other transactions: the triggers delete rows too. */
export async function sweepChanges(
  db: Kysely<Tables>,
  { changesBefore, limit }: { readonly changesBefore: number; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('generation_changes')
    .where((row) =>
      row(
        row.refTuple('owner', 'number'),
        'in',
        row
          .selectFrom('generation_changes')
          .select(['owner', 'number'])
          .where('changed_at', '<', changesBefore)
          .orderBy('changed_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('owner', 'number'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
