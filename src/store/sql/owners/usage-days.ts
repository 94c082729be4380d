import { fromNames } from '../../../lib/members.ts';
import { type Kysely, sql } from 'kysely';
import type { GenerationSummary } from '../../records.ts';
import { countsOf, dayOf, type UsageCount, type UsageCounts, usageCounts } from '../../usage.ts';
import { lockNames } from '../basics/lock-name.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import { toNameColumn } from '../basics/columns.ts';
import type { Tables, UsageDayRow } from '../basics/tables.ts';

/** Marks a sum over models or collections beyond the limits of a day. Not JSON text, so no name equals it. */
export const otherNames = '*';

/** The sum to which a generation belongs. */
export type UsageKey = Pick<UsageDayRow, 'owner' | 'day' | 'kind' | 'model' | 'group_id'>;

export const countColumns = {
  generations: 'generations',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  unknown: 'unknown_outcome',
  withUsage: 'with_usage',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  totalTokens: 'total_tokens',
  cachedTokens: 'cached_tokens',
  reasoningTokens: 'reasoning_tokens',
  outputTokens: 'output_tokens',
} as const satisfies Record<UsageCount, keyof UsageDayRow>;

/**
 * Clients choose models and collections, so an owner's sums of one day are limited. Beyond `exact` sums, new combinations
 * are summed per kind and model; beyond `perModel` sums, per kind.
 */
const maxSums = { exact: 900, perModel: 980 } as const;

/**
 * Adds the change of one generation to the sums. Every write of a generation calls this in its own transaction, with the
 * record before and after it: undefined before an insert, and after the removal of a create that was never sent.
 * (A deleted generation stays in the sums, so its deletion does not call this.)
 */
export async function countChange(
  db: Kysely<Tables>,
  before: GenerationSummary | undefined,
  after: GenerationSummary | undefined,
): Promise<void> {
  await addToSums(db, changesOf(before, after));
}

export interface SumChange {
  readonly key: UsageKey;
  readonly change: UsageCounts;
}

/** Locks the sums in the order of their keys. Call within a transaction. */
export async function addToSums(db: Kysely<Tables>, changes: readonly SumChange[]): Promise<void> {
  const [only] = changes;
  if (changes.length === 1 && only) return addToSum(db, only.key, only.change);
  const byName = new Map<string, SumChange>();
  for (const { key, change } of changes) {
    const name = JSON.stringify(key);
    const known = byName.get(name);
    byName.set(name, { key, change: known ? combine(known.change, change, 1) : change });
  }
  const sorted = [...byName].toSorted(([left], [right]) => (left < right ? -1 : 1));
  for (const [, { key, change }] of sorted) await addToSum(db, key, change);
}

/** The changes of the sums. Usually one sum changes; two if the model or collection changes. */
export function changesOf(
  before: GenerationSummary | undefined,
  after: GenerationSummary | undefined,
): readonly SumChange[] {
  const isMoved = before && after && (before.model !== after.model || before.collection !== after.collection);
  if (isMoved) return [...changesOf(before, undefined), ...changesOf(undefined, after)];
  const subject = after ?? before;
  const [old, now] = [countsOf(before), countsOf(after)];
  const isChanged = usageCounts.some((count) => old[count] !== now[count]);
  return subject && isChanged ? [{ key: keyOf(subject), change: combine(now, old, -1) }] : [];
}

/** Adds `factor` times the second counts to the first. */
export function combine(left: UsageCounts, right: UsageCounts, factor: 1 | -1): UsageCounts {
  const combined: Record<UsageCount, number> = { ...left };
  for (const count of usageCounts) combined[count] += factor * right[count];
  return combined;
}

function keyOf({ owner, createdAt, kind, model, collection }: GenerationSummary): UsageKey {
  return {
    owner,
    day: dayOf(createdAt),
    kind,
    model: toNameColumn(model),
    group_id: toNameColumn(collection),
  };
}

/** Call within a transaction. */
export async function addToSum(db: Kysely<Tables>, key: UsageKey, change: UsageCounts): Promise<void> {
  if (await updateSum(db, key, change)) return;
  const mayExist = await lockNames(db, [['sums', key.owner, key.day]]);
  if (mayExist && (await updateSum(db, key, change))) return;
  // Sums are never deleted, so a combination beyond the limit stays beyond it.
  const sums = await countSums(db, key);
  if (sums < maxSums.exact) return insertSum(db, key, change);
  const perModel = { ...key, group_id: otherNames };
  if (await updateSum(db, perModel, change)) return;
  if (sums < maxSums.perModel) return insertSum(db, perModel, change);
  const perKind = { ...perModel, model: otherNames };
  if (!(await updateSum(db, perKind, change))) await insertSum(db, perKind, change);
}

/** Returns false if the sum does not exist. */
async function updateSum(db: Kysely<Tables>, key: UsageKey, change: UsageCounts): Promise<boolean> {
  const { numAffectedRows = 0n } = await addCounts(db, { ...key, ...toBigInts(change) });
  return numAffectedRows > 0n;
}

/** Counts are BigInt, because SQLite adds JavaScript numbers as floating point. */
const addCounts = prepareQuery((db, { owner, day, kind, model, group_id, ...change }: UsageKey & BigCounts) =>
  db
    .updateTable('usage_days')
    .set(
      Object.fromEntries(
        usageCounts.map((count) => {
          const column = countColumns[count];
          return [column, sql<number>`${sql.ref(column)} + ${change[count]}`];
        }),
      ),
    )
    .where('owner', '=', owner)
    .where('day', '=', day)
    .where('kind', '=', kind)
    .where('model', '=', model)
    .where('group_id', '=', group_id),
);

type BigCounts = Readonly<Record<UsageCount, bigint>>;

export function mapCounts(toCount: (count: UsageCount) => bigint): BigCounts {
  return fromNames(usageCounts, toCount);
}

function toBigInts(counts: UsageCounts): BigCounts {
  return mapCounts((count) => BigInt(counts[count]));
}

async function insertSum(db: Kysely<Tables>, key: UsageKey, change: UsageCounts): Promise<void> {
  const amounts = usageCounts.map((count) => [countColumns[count], change[count]] as const);
  // Every column has an amount.
  const row = { ...key, ...Object.fromEntries(amounts) } as UsageDayRow;
  await db.insertInto('usage_days').values(row).execute();
}

/** Number of an owner's sums of one day. */
async function countSums(db: Kysely<Tables>, { owner, day }: UsageKey): Promise<number> {
  const { sums } = await db
    .selectFrom('usage_days')
    .select((row) => row.fn.countAll<number>().as('sums'))
    .where('owner', '=', owner)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return sums;
}
