import { type Kysely, type RawBuilder, sql } from 'kysely';
import { allKinds, maxRunning } from '../../../caller-limits.ts';
import { LimitReachedError, type LimitUse, roomOf } from '../../../errors.ts';
import { dayMs, minuteMs } from '../../../lib/time.ts';
import type { Creation, Generation, GenerationKind } from '../../records.ts';
import type { Quota } from '../../store.ts';
import { dayOf } from '../../usage.ts';
import { isAbandoned } from '../generations/abandoned.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { Tables } from '../basics/tables.ts';

export interface LimitQuery {
  readonly owner: string;
  readonly quota: Quota;
  readonly now: number;
  /** A time in the day to count. @default now */
  readonly dayTime?: number | undefined;
  readonly minuteClock: MinuteClock;
}

/**
 * The clock that minutes belong to. Instances whose clocks differ would start the count of a minute again and again, so
 * instances on several machines use the clock of their database.
 */
export type MinuteClock = 'database' | 'instance';

/** SQL expressions of the clock of a PostgreSQL database. It stands still within a transaction. */
const databaseTime = '(extract(epoch from now()) * 1000)::bigint';
const databaseMinute = `(${databaseTime} / ${minuteMs})`;

/** Columns depend on the part. */
interface UseRow {
  readonly part: 'time' | 'minute' | 'started' | 'task' | 'sent' | 'day';
  readonly kind: GenerationKind;
  /** `open_task` of a group of tasks. */
  readonly origin: string;
  /** Number of generations or creates. The minute itself for `minute`, and the time of the database for `time`. */
  readonly amount: number;
  /** Tokens, or the creates of the minute. */
  readonly more: number;
}

/**
 * What an owner has used of each limit. Reads all of it with one statement, because each create that is being sent moves to
 * the sums of its day in one commit.
 */
export async function readLimitUses(db: Kysely<Tables>, query: LimitQuery): Promise<readonly LimitUse[]> {
  const parts = toParts(query);
  const { rows } = await limitQuery(parts).execute(db);
  return toUses(rows, query);
}

/**
 * Counts a create in its minute and checks the limits of its owner. Call within the transaction that claims it, as its last
 * statements: the counts of the owner are locked until its end, so that concurrent creates count each other.
 * @throws LimitReachedError
 */
export async function countCreate(
  db: Kysely<Tables>,
  { owner, createdAt }: Creation,
  {
    generation,
    ...counting
  }: Pick<LimitQuery, 'quota' | 'minuteClock'> & { readonly generation: Generation | undefined },
): Promise<void> {
  await (counting.minuteClock === 'database'
    ? addCreateNow(db, { owner })
    : addCreate(db, { owner, minute: BigInt(minuteOf(createdAt)) }));
  const uses = await readLimitUses(db, { owner, ...limitTimesOf({ createdAt }, generation), ...counting });
  const others = uses.map((use) => withoutOwn(use, generation));
  const reached = findReached(others, generation);
  if (reached) throw new LimitReachedError(reached);
}

/** A create counts in the minute of its claim. Its generation counts in the day of its own creation, which may be the day before. */
export function limitTimesOf(
  creation: Pick<Creation, 'createdAt'>,
  generation: Generation | undefined,
): Pick<LimitQuery, 'now' | 'dayTime'> {
  return { now: creation.createdAt, dayTime: generation?.createdAt };
}

/** The limit that has no room for a create. Of several, the one that lasts longest. */
export function findReached(
  uses: readonly LimitUse[],
  generation: Generation | undefined,
): LimitUse | undefined {
  return uses
    .filter((use) => concerns(use, generation) && use.used >= use.max)
    .toSorted((left, right) => endOf(right) - endOf(left))[0];
}

/** When a reached limit may have room. If that can be at any time, the limit of a day comes after that of running work. */
function endOf(use: LimitUse): number {
  switch (roomOf(use)) {
    case 'never':
      return Number.MAX_SAFE_INTEGER;
    case 'any-time':
      return use.resetsAt === undefined ? 0 : 1;
    default:
      return use.resetsAt ?? 0;
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs);
}

/** A create without a generation is limited only in its rate. */
function concerns({ limit, kind }: LimitUse, generation: Generation | undefined): boolean {
  if (!generation) return limit === 'CREATES_PER_MINUTE';
  return kind === undefined || kind === generation.kind;
}

/** The counts before the create that they include. */
function withoutOwn(use: LimitUse, generation: Generation | undefined): LimitUse {
  const isCounted = use.limit !== 'TOKENS_PER_DAY' && concerns(use, generation);
  if (!isCounted) return use;
  const { used, unsettled } = use;
  return { ...use, used: used - 1, ...(unsettled !== undefined && { unsettled: unsettled - 1 }) };
}

const addCreate = prepareQuery((db, { owner, minute }: { readonly owner: string; readonly minute: bigint }) =>
  addToMinute(db, owner, sql<number>`${minute}`),
);
const addCreateNow = prepareQuery((db, { owner }: { readonly owner: string }) =>
  addToMinute(db, owner, sql<number>`${sql.raw(databaseMinute)}`),
);

/** A create may have waited for another one of the next minute. */
function addToMinute(db: Kysely<Tables>, owner: string, minute: RawBuilder<number>) {
  return db
    .insertInto('owner_records')
    .values({ owner, records: 0, bytes: 0, minute, minute_creates: 1 })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({
        minute: sql<number>`case when owner_records.minute = excluded.minute + 1 then owner_records.minute else excluded.minute end`,
        minute_creates: sql<number>`case when owner_records.minute in (excluded.minute, excluded.minute + 1) then owner_records.minute_creates + 1 else 1 end`,
      }),
    );
}

type Part = RawBuilder<UseRow>;

/** The statement reads only what the limits count. */
function toParts({
  owner,
  quota: { limits, abandonment },
  now,
  dayTime = now,
  minuteClock,
}: LimitQuery): readonly Part[] {
  const { createsPerMinute, running, createsPerDay, tokensPerDay } = limits;
  const parts: Part[] = [];
  if (createsPerMinute !== undefined) parts.push(minutePart(owner));
  if (createsPerMinute !== undefined && minuteClock === 'database') parts.push(timePart());
  if (running !== undefined)
    parts.push(startedPart(owner, running), tasksPart(owner, abandonment.followedAfter));
  if (createsPerDay !== undefined) parts.push(sentPart(owner, dayTime));
  if (createsPerDay !== undefined || tokensPerDay !== undefined) parts.push(dayPart(owner, dayTime));
  return parts;
}

/** One statement for all parts. */
function limitQuery(parts: readonly Part[]): Part {
  return parts.length === 0
    ? sql<UseRow>`select 'minute' as part where 1 = 0`
    : sql<UseRow>`${sql.join(parts, sql` union all `)}`;
}

function minutePart(owner: string): Part {
  return sql`
    select 'minute' as part, '' as kind, '' as origin, minute as amount, minute_creates as more
    from owner_records where owner = ${owner}`;
}

function timePart(): Part {
  return sql`
    select 'time' as part, '' as kind, '' as origin, ${sql.raw(databaseTime)} as amount, 0 as more`;
}

/** Work that an instance ends: streams, and creates whose reply is awaited. */
export function startedPart(owner: string, limit: number): Part {
  return sql`
    select 'started' as part, '' as kind, '' as origin, count(*) as amount, 0 as more from (
      select 1 as one from generations
      where owner = ${owner} and finished_at is null and task_id is null limit ${limit + 1}
    ) as started`;
}

export function tasksPart(owner: string, followedAfter: number): Part {
  return sql`
    select 'task' as part, kind, open_task as origin, count(*) as amount, 0 as more from (
      select kind, open_task from generations
      where owner = ${owner} and finished_at is null and task_id is not null and created_at >= ${followedAfter}
      order by created_at desc limit ${maxRunning}
    ) as tasks group by kind, open_task`;
}

/** Creates that the gateway has not accepted yet. The sums of the day do not contain them. */
export function sentPart(owner: string, now: number): Part {
  const day = dayOf(now) * dayMs;
  return sql`
    select 'sent' as part, kind, '' as origin, count(*) as amount, 0 as more from generations
    where owner = ${owner} and is_visible = 0 and finished_at is null and task_id is null
      and created_at >= ${day} and created_at < ${day + dayMs}
    group by kind`;
}

export function dayPart(owner: string, now: number): Part {
  return sql`
    select 'day' as part, kind, '' as origin, cast(sum(generations) as bigint) as amount,
      cast(sum(${sql.raw(reportedTokensOf)}) as bigint) as more
    from usage_days where owner = ${owner} and day = ${dayOf(now)} group by kind`;
}

/** SQL expression for a row of `usage_days`: one model, whose replies may have no total. */
const reportedTokensOf =
  'case when total_tokens > prompt_tokens + completion_tokens then total_tokens else prompt_tokens + completion_tokens end';

function toUses(rows: readonly UseRow[], { quota, now, dayTime = now }: LimitQuery): readonly LimitUse[] {
  const { createsPerMinute, running, createsPerDay = {}, tokensPerDay } = quota.limits;
  const sumOf = (part: UseRow['part'], value: (row: UseRow) => number): number =>
    rows.reduce((sum, row) => sum + (row.part === part ? value(row) : 0), 0);
  const dayEnd = (dayOf(dayTime) + 1) * dayMs;
  const uses: LimitUse[] = [];
  if (createsPerMinute !== undefined) uses.push(minuteUse(rows, createsPerMinute, now));
  if (running !== undefined) {
    const tasks = sumOf('task', (row) => (isRunning(row, quota) ? row.amount : 0));
    uses.push({ limit: 'RUNNING', max: running, used: tasks + sumOf('started', ({ amount }) => amount) });
  }
  for (const [name, max] of Object.entries(createsPerDay)) {
    const kind = name === allKinds ? undefined : name;
    const count = (row: UseRow) => (kind === undefined || row.kind === kind ? row.amount : 0);
    const sent = sumOf('sent', count);
    const used = sumOf('day', count) + sent;
    const unsettled = sent > 0 ? { unsettled: sent } : {};
    uses.push({ limit: 'CREATES_PER_DAY', kind, max, used, ...unsettled, resetsAt: dayEnd });
  }
  if (tokensPerDay !== undefined) {
    const used = sumOf('day', ({ more }) => more);
    uses.push({ limit: 'TOKENS_PER_DAY', max: tokensPerDay, used, resetsAt: dayEnd });
  }
  return uses;
}

function minuteUse(rows: readonly UseRow[], max: number, now: number): LimitUse {
  const measuredAt = rows.find(({ part }) => part === 'time')?.amount;
  const current = minuteOf(measuredAt ?? now);
  const row = rows.find(
    ({ part, amount }) => part === 'minute' && (amount === current || amount === current + 1),
  );
  const { amount: minute, more: used } = row ?? { amount: current, more: 0 };
  return { limit: 'CREATES_PER_MINUTE', max, used, resetsAt: (minute + 1) * minuteMs, measuredAt };
}

/** The end of an abandoned task is never known, so it must not count forever. */
function isRunning({ kind, origin }: UseRow, { abandonment }: Quota): boolean {
  return !isAbandoned({ kind, open_task: origin, created_at: abandonment.followedAfter }, abandonment);
}
