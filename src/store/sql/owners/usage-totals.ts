import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Store } from '../../store.ts';
import {
  type UsageCount,
  usageCounts,
  type UsageDimension,
  type UsageQuery,
  type UsageTotal,
} from '../../usage.ts';
import { fromNameColumn, toNameColumn } from '../basics/columns.ts';
import type { RunRead } from '../basics/database.ts';
import type { Tables } from '../basics/tables.ts';
import { countColumns, mapCounts, otherNames } from './usage-days.ts';

/** Days per statement. With the limit of sums per day, a statement takes a few milliseconds. */
const daysAtOnce = 5;

/** @param runRead runs each statement, so that others run in between */
export function createUsageTotals(
  db: Kysely<Tables>,
  runRead: RunRead = (_owner, read) => read(),
): Pick<Store, 'sumUsage'> {
  return {
    async sumUsage(owner, query) {
      const totals = new Map<string, UsageTotal>();
      for (let fromDay = query.fromDay; fromDay <= query.toDay; fromDay += daysAtOnce) {
        const toDay = Math.min(query.toDay, fromDay + daysAtOnce - 1);
        const days = { ...query, fromDay, toDay };
        const { rows } = await runRead(owner, () => sumQuery(owner, days).execute(db));
        for (const row of rows) {
          const total = toTotal(row);
          const id = JSON.stringify([row.day, row.kind, row.model, row.collection]);
          totals.set(id, add(totals.get(id), total));
        }
        if (totals.size > query.limit) return undefined;
      }
      // Without a dimension, there is always one total.
      if (totals.size === 0 && query.groupBy.length === 0)
        return [{ ...mapCounts(() => 0n), isOther: false }];
      return sortByDimensions([...totals.values()]);
    },
  };
}

type CountsRow = Readonly<Record<UsageCount, string>>;
interface TotalRow extends CountsRow {
  readonly day?: number;
  readonly kind?: string;
  readonly model?: string;
  readonly collection?: string;
}

const dimensionColumns = {
  DAY: 'day',
  KIND: 'kind',
  MODEL: 'model',
  COLLECTION: 'group_id',
} as const satisfies Record<UsageDimension, string>;

/** Reads one range of the primary key. Sums are text: they can exceed the safe integers of JavaScript. */
function sumQuery(owner: string, query: UsageQuery): RawBuilder<TotalRow> {
  const grouped = [...new Set(query.groupBy)].map((dimension) => dimensionColumns[dimension]);
  const names = grouped.map((column) => sql`${sql.ref(column)} as ${sql.ref(aliasOf(column))}`);
  const sums = usageCounts.map(
    (count) => sql`cast(sum(${sql.ref(countColumns[count])}) as text) as ${sql.ref(count)}`,
  );
  const conditions = [
    sql`owner = ${owner} and day between ${query.fromDay} and ${query.toDay}`,
    ...(query.kinds ? [isAnyOf('kind', query.kinds)] : []),
    ...(query.models ? [isAnyOf('model', query.models.map(toNameColumn))] : []),
    ...(query.collection === undefined ? [] : [isAnyOf('group_id', [toNameColumn(query.collection)])]),
  ];
  return sql<TotalRow>`
    select ${sql.join([...names, ...sums])} from usage_days where ${sql.join(conditions, sql` and `)}
    ${grouped.length > 0 ? sql`group by ${sql.join(grouped.map((column) => sql.ref(column)))}` : sql``}
    having sum(generations) > 0 limit ${query.limit + 1}
  `;
}

function aliasOf(column: (typeof dimensionColumns)[UsageDimension]): string {
  return column === 'group_id' ? 'collection' : column;
}

function isAnyOf(column: string, values: readonly string[]): RawBuilder<unknown> {
  return values.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} in (${sql.join([...new Set(values)])})`;
}

function toTotal({ day, kind, model = '', collection = '', ...counts }: TotalRow): UsageTotal {
  const nameOf = (column: string) => (column === otherNames ? undefined : fromNameColumn(column));
  return {
    ...mapCounts((count) => BigInt(counts[count])),
    day,
    kind,
    model: nameOf(model),
    collection: nameOf(collection),
    isOther: model === otherNames || collection === otherNames,
  };
}

function add(sum: UsageTotal | undefined, total: UsageTotal): UsageTotal {
  return sum ? { ...sum, ...mapCounts((count) => BigInt(sum[count]) + BigInt(total[count])) } : total;
}

/** Oldest day first, then by names. Groups without a name come first, sums of other names last. */
function sortByDimensions(totals: readonly UsageTotal[]): readonly UsageTotal[] {
  const keyed = totals.map((total) => {
    const { day = 0, isOther, kind = '', model = '', collection = '' } = total;
    return { total, day, names: JSON.stringify([isOther, kind, model, collection]) };
  });
  keyed.sort((a, b) => a.day - b.day || (a.names < b.names ? -1 : Number(a.names > b.names)));
  return keyed.map(({ total }) => total);
}
