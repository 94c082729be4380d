import { allKinds } from '../../caller-limits.ts';
import { dayMs } from '../../lib/time.ts';
import type { Creation, Generation } from '../records.ts';
import { databaseMinute, type LimitQuery, minuteOf, reportedTokensOf } from '../sql/creations/limit-uses.ts';
import { dayOf } from '../usage.ts';

type Add = (value: unknown) => string;

/** The columns of `owner_records` for the minute of a create. A null rolls the statement back. */
export interface MinuteColumns {
  /** For the first create of an owner. */
  readonly inserted: readonly [minute: string, creates: string];
  readonly updated: readonly [minute: string, creates: string];
}

/**
 * Counts a create in its minute and checks the limits of its owner, within the statement that claims it. The statement reads
 * the counts before it waits for the row of the owner. If another create of this owner commits meanwhile, the row has
 * another count than the one that was read, and the statement is rolled back.
 */
export function minuteColumns(
  add: Add,
  { owner }: Pick<Creation, 'owner'>,
  { kind, createdAt }: Generation,
  { quota: { limits, abandonment }, minuteClock }: Pick<LimitQuery, 'quota' | 'minuteClock'>,
): MinuteColumns {
  const { createsPerMinute, running, createsPerDay = {}, tokensPerDay } = limits;
  const key = `${add(owner)}::text`;
  const day = dayOf(createdAt);
  const minute = minuteClock === 'database' ? databaseMinute : `${add(minuteOf(createdAt))}::bigint`;
  const sumOfDay = (value: string, of: string | undefined): string =>
    `(select coalesce(sum(${value}), 0) from usage_days
      where owner = ${key} and day = ${add(day)}::integer${of === undefined ? '' : ` and kind = ${add(of)}::text`})`;
  const sent = (of: string | undefined): string =>
    `(select count(*) from generations
      where owner = ${key} and is_visible = 0 and finished_at is null and task_id is null
        and created_at >= ${add(day * dayMs)}::bigint and created_at < ${add((day + 1) * dayMs)}::bigint
        ${of === undefined ? '' : `and kind = ${add(of)}::text`})`;
  const unfinished = (condition: string, max: number): string =>
    `(select count(*) from (
      select 1 from generations where owner = ${key} and finished_at is null and ${condition} limit ${add(max)}::bigint
    ) as unfinished)`;
  const conditions = [
    // Counts abandoned tasks too: the transaction leaves them out.
    ...(running === undefined
      ? []
      : [
          `${unfinished('task_id is null', running)}
            + ${unfinished(`task_id is not null and created_at >= ${add(abandonment.followedAfter)}::bigint`, running)}
            < ${add(running)}::bigint`,
        ]),
    ...[kind, allKinds].flatMap((name) => {
      const max = createsPerDay[name];
      const of = name === allKinds ? undefined : name;
      return max === undefined ? [] : [`${sumOfDay('generations', of)} + ${sent(of)} < ${add(max)}::bigint`];
    }),
    ...(tokensPerDay === undefined
      ? []
      : [`${sumOfDay(reportedTokensOf, undefined)} < ${add(tokensPerDay)}::bigint`]),
  ];
  const max = createsPerMinute === undefined ? undefined : `${add(createsPerMinute)}::bigint`;
  const checked = (creates: string, others: readonly string[]): string => {
    const all = [...others, ...conditions, ...(max === undefined ? [] : [`${creates} <= ${max}`])];
    return all.length === 0 ? creates : `case when ${all.join(' and ')} then ${creates} end`;
  };
  const isSame = `(owner_records.minute, owner_records.minute_creates) =
    (select minute, minute_creates from owner_records as known where owner = ${key})`;
  const isNext = `owner_records.minute = ${minute} + 1`;
  return {
    inserted: [minute, checked('1', [])],
    updated: [
      `case when ${isNext} then owner_records.minute else ${minute} end`,
      checked(
        `case when ${isNext} or owner_records.minute = ${minute} then owner_records.minute_creates + 1 else 1 end`,
        [isSame],
      ),
    ],
  };
}
