import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { GenerationFilter, GenerationPage, GenerationPosition } from '../store.ts';
import { toNameColumn } from './rows.ts';
import type { Tables } from './tables.ts';

export interface ListRequest {
  readonly owner: string;
  readonly filter: GenerationFilter;
  readonly page: GenerationPage;
}

/**
 * Ids of a page, newest first. Whatever is asked for, only entries of an index are read that belong to the page: one
 * range of the index for each combination of values that occurs (a branch), merged here. So a page costs the same
 * among a hundred records and among a million, also where few of them match.
 */
export async function listGenerations(db: Kysely<Tables>, request: ListRequest): Promise<readonly string[]> {
  const { page } = request;
  const places = await readBranches(db, request, await findBranches(db, toBranches(request)));
  const sorted = places.toSorted(newestFirst);
  const taken = page.fromEnd
    ? sorted.slice(Math.max(0, sorted.length - page.limit))
    : sorted.slice(0, page.limit);
  return taken.map(({ id }) => id);
}

/** The page of each branch. */
async function readBranches(
  db: Kysely<Tables>,
  request: ListRequest,
  branches: readonly Branch[],
): Promise<readonly GenerationPosition[]> {
  const [first] = branches;
  if (!first) return [];
  // Built once: the branches of a request differ by their values only, which follow the owner.
  const compiled = pageQuery(db, request, first).compile();
  const places: GenerationPosition[] = [];
  for (const branch of branches) {
    const values = branch.map(([, value]) => value);
    const parameters = compiled.parameters.toSpliced(1, values.length, ...values);
    places.push(...(await db.executeQuery<GenerationPosition>({ ...compiled, parameters })).rows);
  }
  return places;
}

/** Newest first; the id decides between equal times. */
function newestFirst(left: GenerationPosition, right: GenerationPosition): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  return left.id < right.id ? 1 : Number(left.id !== right.id) * -1;
}

type Column = 'group_id' | 'kind' | 'status' | 'model';

/** Columns that have one value each. */
type Branch = readonly (readonly [Column, string])[];

interface Branches {
  readonly owner: string;
  /** Columns of one index, in its order, with the values that are asked for; all that occur when undefined. */
  readonly columns: readonly (readonly [Column, readonly string[] | undefined])[];
}

/** Which index serves best, and which of its ranges. */
function toBranches({ owner, filter }: ListRequest): Branches {
  const kinds = ['kind', distinct(filter.kinds)] as const;
  const statuses = ['status', distinct(filter.statuses)] as const;
  const models = ['model', distinct(filter.models?.map(toNameColumn))] as const;
  const more = filter.kinds || filter.statuses || filter.models ? [kinds, statuses, models] : [];
  if (filter.group !== undefined)
    return { owner, columns: [['group_id', [toNameColumn(filter.group)]], ...more] };
  if (filter.models) return { owner, columns: [models, kinds, statuses] };
  return { owner, columns: filter.kinds || filter.statuses ? [kinds, statuses] : [] };
}

function distinct(values: readonly string[] | undefined): readonly string[] | undefined {
  return values && [...new Set(values)];
}

async function findBranches(db: Kysely<Tables>, { owner, columns }: Branches): Promise<readonly Branch[]> {
  let branches: readonly Branch[] = [[]];
  for (const [column, wanted] of columns) {
    const longer: Branch[] = [];
    for (const branch of branches) {
      const values = wanted ?? (await findValues(db, owner, branch, column));
      longer.push(...values.map((value) => [...branch, [column, value] as const]));
    }
    branches = longer;
  }
  return branches;
}

/** The values that occur, by a leap from each to the next. */
async function findValues(
  db: Kysely<Tables>,
  owner: string,
  branch: Branch,
  column: Column,
): Promise<readonly string[]> {
  const values: string[] = [];
  for (;;) {
    const next = await nextValueQuery(db, { owner, branch, column, last: values.at(-1) }).executeTakeFirst();
    if (!next) return values;
    values.push(next.value);
  }
}

interface NextValue {
  readonly owner: string;
  readonly branch: Branch;
  readonly column: Column;
  readonly last: string | undefined;
}

export function nextValueQuery(db: Kysely<Tables>, { owner, branch, column, last }: NextValue) {
  const query = db
    .selectFrom('generations')
    .select((row) => row.ref(column).$castTo<string>().as('value'))
    .where(isListed)
    .where('owner', '=', owner)
    .where((row) => row.and(branch.map(([name, value]) => row(row.ref(name), '=', value as never))))
    .orderBy(column)
    .limit(1);
  return last === undefined ? query : query.where((row) => row(row.ref(column), '>', last as never));
}

export function pageQuery(db: Kysely<Tables>, { owner, filter, page }: ListRequest, branch: Branch) {
  const { newest, oldest } = toBounds(filter, page);
  const direction = page.fromEnd ? 'asc' : 'desc';
  let query = db
    .selectFrom('generations')
    .select(['id', 'created_at as createdAt'])
    .where(isListed)
    .where('owner', '=', owner)
    .where((row) => row.and(branch.map(([name, value]) => row(row.ref(name), '=', value as never))))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit);
  if (newest) {
    const { createdAt, id } = newest;
    query = query.where((row) => row(row.refTuple('created_at', 'id'), '<', row.tuple(createdAt, id)));
  }
  if (oldest) {
    const { createdAt, id } = oldest;
    query = query.where((row) => row(row.refTuple('created_at', 'id'), '>', row.tuple(createdAt, id)));
  }
  return query;
}

/** In the words of the indexes: as a bound value no index would be found. */
function isListed(row: ExpressionBuilder<Tables, 'generations'>) {
  return row('is_visible', '=', sql.lit(1));
}

interface Bounds {
  /** Only what lies below this place. */
  readonly newest: GenerationPosition | undefined;
  /** Only what lies above this place. */
  readonly oldest: GenerationPosition | undefined;
}

/** Times and cursors as one place at either end: an index takes one bound each. */
function toBounds(
  { createdAfter, createdBefore }: GenerationFilter,
  { after, before }: GenerationPage,
): Bounds {
  // An empty id lies below every other of its time.
  const until = createdBefore === undefined ? undefined : { createdAt: createdBefore, id: '' };
  const since = createdAfter === undefined ? undefined : { createdAt: createdAfter + 1, id: '' };
  return {
    newest: [after, until]
      .filter((place) => place !== undefined)
      .toSorted(newestFirst)
      .at(-1),
    oldest: [before, since].filter((place) => place !== undefined).toSorted(newestFirst)[0],
  };
}
