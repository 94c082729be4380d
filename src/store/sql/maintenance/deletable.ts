import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Abandonment } from '../../store.ts';
import { abandonmentColumns, isAbandoned } from '../generations/abandoned.ts';
import type { GenerationRow, Tables } from '../basics/tables.ts';

export type Candidate = Pick<GenerationRow, 'id' | 'size_bytes' | 'finished_at'>;

/** Generations that are deleted together: a single one, or a conversation with its newest first. */
export type Unit = readonly Candidate[];

export interface DeletableOptions {
  readonly owner: string;
  readonly abandonment: Abandonment;
  /** The first generation of a conversation that is deleted last, because it is being continued. */
  readonly keptRootId?: string | undefined;
  /** About the number of generations to return. */
  readonly limit: number;
}

const maxScannedRecords = 10_000;

/**
 * What can be deleted, least recently used first: generations that have ended or are abandoned. A conversation is used when its
 * last generation ends, and is deleted as a whole, because its later generations cannot be continued without the first ones.
 */
export async function findDeletable(db: Kysely<Tables>, options: DeletableOptions): Promise<readonly Unit[]> {
  const ended = await findUnused(db, options);
  // If nothing has ended, the create depends on an abandoned one.
  const abandoned = await findAbandoned(db, options, ended.length > 0 ? options.limit : maxScannedRecords);
  const units = [...ended, ...abandoned].toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0));
  if (units.length > 0) return expand(db, units, options);
  // Everything belongs to conversations in use.
  return (await readEnded(db, options)).map((row) => [row]);
}

interface AgedUnit {
  readonly unit: Unit;
  readonly since: number | null;
  /** The first generation of a conversation, whose other generations are not read yet. */
  readonly rootId?: string;
}

const columns = ['id', 'size_bytes', 'finished_at'] as const;

type EndedRow = Candidate & Pick<GenerationRow, 'root_id'>;

/** Ended generations of one owner, oldest end first, after a position. */
function readEnded(
  db: Kysely<Tables>,
  { owner, limit }: DeletableOptions,
  after?: EndedRow,
): Promise<readonly EndedRow[]> {
  return db
    .selectFrom('generations')
    .select([...columns, 'root_id'])
    .where('owner', '=', owner)
    .where('finished_at', 'is not', null)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(finished_at, id) > (${after?.finished_at}, ${after?.id})`),
    )
    .orderBy('finished_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Single generations, and conversations by the end of their last generation. */
async function findUnused(db: Kysely<Tables>, options: DeletableOptions): Promise<readonly AgedUnit[]> {
  const units: AgedUnit[] = [];
  const known = new Set<string>();
  let last: EndedRow | undefined;
  for (let scanned = 0; scanned < maxScannedRecords && units.length < options.limit;) {
    const rows = await readEnded(db, options, last);
    const uses = await findLastUses(db, [...new Set(rows.map(rootOf))]);
    for (const row of rows) {
      const rootId = rootOf(row);
      const use = uses.get(rootId);
      if (rootId === options.keptRootId || known.has(rootId)) continue;
      if (!use) units.push({ unit: [row], since: row.finished_at });
      else if (!use.isRunning && (row.finished_at ?? 0) >= use.finishedAt) {
        known.add(rootId);
        units.push({ unit: [], since: row.finished_at, rootId });
      }
    }
    scanned += rows.length;
    last = rows.at(-1);
    if (rows.length < options.limit) break;
  }
  return units;
}

function rootOf({ id, root_id: rootId }: Pick<EndedRow, 'id' | 'root_id'>): string {
  return rootId ?? id;
}

interface LastUse {
  readonly finishedAt: number;
  readonly isRunning: boolean;
}

/** By the first generation of each conversation that has others. */
async function findLastUses(
  db: Kysely<Tables>,
  rootIds: readonly string[],
): Promise<ReadonlyMap<string, LastUse>> {
  if (rootIds.length === 0) return new Map();
  const { rows } = await lastUsesQuery(rootIds).execute(db);
  return new Map(
    rows
      .filter((row) => row.finished_at !== null || row.is_running === 1)
      .map((row) => [row.id, { finishedAt: row.finished_at ?? 0, isRunning: row.is_running === 1 }]),
  );
}

interface LastUseRow extends Pick<GenerationRow, 'id' | 'finished_at'> {
  readonly is_running: 0 | 1;
}

/** Two searches of an index for each conversation: a conversation can have all generations of an owner. */
export function lastUsesQuery(rootIds: readonly string[]): RawBuilder<LastUseRow> {
  const roots = rootIds.map((id) => sql`(cast(${id} as text))`);
  const others = sql`from generations where root_id = roots.id and root_id is not null`;
  return sql<LastUseRow>`
    with roots (id) as (values ${sql.join(roots)})
    select id, (select max(finished_at) ${others}) as finished_at,
      case when exists (select 1 ${others} and finished_at is null) then 1 else 0 end as is_running
    from roots`;
}

/** Reads the generations of the conversations, as far as the limit allows. */
async function expand(
  db: Kysely<Tables>,
  units: readonly AgedUnit[],
  { owner, limit }: DeletableOptions,
): Promise<readonly Unit[]> {
  const expanded: Unit[] = [];
  let count = 0;
  for (const { unit, rootId } of units) {
    const whole = rootId === undefined ? unit : await readConversation(db, { owner, rootId, limit });
    expanded.push(whole);
    count += whole.length;
    if (count >= limit) break;
  }
  return expanded;
}

interface Conversation {
  readonly owner: string;
  readonly rootId: string;
  readonly limit: number;
}

/**
 * The last end first: if not all are deleted, those that remain can be continued. The first generation ended before the others
 * began.
 */
async function readConversation(db: Kysely<Tables>, { owner, rootId, limit }: Conversation): Promise<Unit> {
  const others = await db
    .selectFrom('generations')
    .select(columns)
    .where('root_id', '=', rootId)
    .where('root_id', 'is not', null)
    .where('owner', '=', owner)
    .orderBy('finished_at', 'desc')
    .limit(limit)
    .execute();
  if (others.length === limit) return others;
  const first = await db
    .selectFrom('generations')
    .select(columns)
    .where('id', '=', rootId)
    .where('owner', '=', owner)
    .execute();
  return [...others, ...first];
}

async function findAbandoned(
  db: Kysely<Tables>,
  { owner, abandonment }: DeletableOptions,
  limit: number,
): Promise<readonly AgedUnit[]> {
  const unfinished = await db
    .selectFrom('generations')
    .select([...columns, 'created_at as since', ...abandonmentColumns])
    .where('owner', '=', owner)
    .where('finished_at', 'is', null)
    .where('task_id', 'is not', null)
    .where('instance_id', 'is', null)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return unfinished
    .filter((row) => isAbandoned(row, abandonment))
    .map((row) => ({ unit: [row], since: row.since }));
}
