import type { Kysely } from 'kysely';
import type { UsageCounts } from '../../usage.ts';
import { fromGenerationRow } from '../generations/generation-rows.ts';
import type { Tables } from '../basics/tables.ts';
import { addToSum, changesOf, combine, type UsageKey } from '../owners/usage-days.ts';

const pageSize = 1000;
/** Columns of later migrations, and contents, which are not counted. */
const missing = {
  open_task: null,
  first_token_ms: null,
  prompt: null,
  input: null,
  output: null,
  raw: null,
  traceparent: null,
  parent_id: null,
  parent_choice: null,
  root_id: null,
  depth: null,
  input_state: null,
} as const;
/** Bounds the memory of a migration. */
const maxPending = 5000;

/** Adds all recorded generations to the sums, for the migration that creates the sums. */
export async function countRecorded(db: Kysely<Tables>): Promise<void> {
  const pending = new Map<string, { readonly key: UsageKey; readonly change: UsageCounts }>();
  const flush = async (): Promise<void> => {
    for (const { key, change } of pending.values()) await addToSum(db, key, change);
    pending.clear();
  };
  for (let last: string | undefined = ''; last !== undefined;) {
    const rows = await readPage(db, last);
    for (const row of rows) {
      const generation = fromGenerationRow({ ...missing, ...row });
      for (const { key, change } of changesOf(undefined, generation)) {
        const id = JSON.stringify(key);
        const sum = pending.get(id);
        pending.set(id, sum ? { key, change: combine(sum.change, change, 1) } : { key, change });
      }
    }
    if (pending.size > maxPending) await flush();
    last = rows.at(-1)?.id;
  }
  await flush();
}

function readPage(db: Kysely<Tables>, after: string) {
  return db
    .selectFrom('generations')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(pageSize)
    .execute();
}
