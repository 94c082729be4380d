import { type Kysely, sql } from 'kysely';
import type { GenerationSummary } from '../../records.ts';
import type { CommonEnd } from '../../store.ts';
import { countSizes } from '../owners/owner-records.ts';
import { fromSummaryRow, summaryColumns, toGenerationChanges } from '../generations/generation-rows.ts';
import { isRecordId } from '../basics/columns.ts';
import type { Tables } from '../basics/tables.ts';
import { addToSums, changesOf } from '../owners/usage-days.ts';

/**
 * Ends the generations of instances that seem dead, if they have not ended, with one statement for all rows. Each instance may
 * replace its ends. Returns the summaries. Locks their rows, then their sums, then the counts of their owners, each in one
 * order. Call within a transaction.
 */
export async function endGenerations(
  db: Kysely<Tables>,
  ids: readonly string[],
  end: CommonEnd,
): Promise<readonly GenerationSummary[]> {
  const wanted = ids.filter(isRecordId);
  if (wanted.length === 0) return [];
  const rows = await db
    .selectFrom('generations')
    .select([...summaryColumns, 'size_bytes'])
    .where('id', 'in', wanted)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const changed = rows.map((row) => {
    const before = fromSummaryRow(row);
    return { before, after: { ...before, ...end } };
  });
  const [first] = changed;
  if (!first) return [];
  await db
    .updateTable('generations')
    // Equal for all: the columns that depend on the generation are empty after its end.
    .set({ ...toGenerationChanges(end, first.after), ended_for: sql<string | null>`instance_id` })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  await addToSums(
    db,
    changed.flatMap(({ before, after }) => changesOf(before, after)),
  );
  await countSizes(db, rows);
  return changed.map(({ after }) => after);
}
