import type { CompiledQuery, Kysely } from 'kysely';
import type { GenerationFilter } from '../../generation-filter.ts';
import type { GenerationPage, Position } from '../../store.ts';
import { isBeyond } from '../basics/columns.ts';
import { countRows } from '../basics/count-rows.ts';
import {
  type Branch,
  type BranchRequest,
  equals,
  findRanges,
  hasCollection,
  isCollection,
  isFirstTurn,
  isListed,
  type Ranges,
} from './list-branches.ts';
import { bindPlaceholders, Placeholder } from '../basics/placeholders.ts';
import type { Tables } from '../basics/tables.ts';

export interface ListRequest {
  readonly owner: string;
  readonly filter: GenerationFilter;
  readonly page: GenerationPage;
}

/**
 * Ids of a page, newest first. Reads one index range per combination of filter values that occurs (a branch) and merges the
 * ranges. Every range read is limited to the page size, so the cost of a page does not depend on the number of records, even
 * if few of them match.
 */
export async function listGenerations(db: Kysely<Tables>, request: ListRequest): Promise<readonly string[]> {
  const { page } = request;
  const places = await readBranches(db, request, await findRanges(db, request));
  const sorted = places.toSorted(newestFirst);
  const taken = page.fromEnd
    ? sorted.slice(Math.max(0, sorted.length - page.limit))
    : sorted.slice(0, page.limit);
  return taken.map(({ id }) => id);
}

/** Whether there is a match. Stops at the first, and needs no snapshot. */
export async function hasGenerations(db: Kysely<Tables>, branch: BranchRequest): Promise<boolean> {
  const request = { ...branch, page: { limit: 1 } };
  const queries = bindBranches(await findRanges(db, request), (template) =>
    pageQuery(db, request, template).compile(),
  );
  for (const query of queries) if ((await db.executeQuery(query)).rows.length > 0) return true;
  return false;
}

/** The number of matches, at most `limit`. Reads the same index ranges as a page. */
export async function countGenerations(
  db: Kysely<Tables>,
  { owner, filter, limit }: CountRequest,
): Promise<number> {
  const request = { owner, filter, page: { limit } };
  const queries = bindBranches(await findRanges(db, request), (template) =>
    countQuery(db, request, template).compile(),
  );
  let count = 0;
  for (const query of queries) {
    count += (await db.executeQuery(query)).rows[0]?.count ?? 0;
    if (count >= limit) return limit;
  }
  return count;
}

export interface CountRequest {
  readonly owner: string;
  readonly filter: GenerationFilter;
  readonly limit: number;
}

/** Reads the page of each branch. */
async function readBranches(
  db: Kysely<Tables>,
  request: ListRequest,
  ranges: Ranges,
): Promise<readonly Position[]> {
  const places: Position[] = [];
  const queries = bindBranches(ranges, (template) => pageQuery(db, request, template).compile());
  for (const query of queries) places.push(...(await db.executeQuery(query)).rows);
  return places;
}

/** One query per branch. Compiled once, because the branches differ only in their values. */
function bindBranches<Row>(
  { branches, models }: Ranges,
  compile: (template: Range) => CompiledQuery<Row>,
): readonly CompiledQuery<Row>[] {
  const [first] = branches;
  if (!first) return [];
  const branch = first.map(([column]) => [column, new Placeholder(column)] as const);
  const compiled = compile({ branch, models });
  return branches.map((branch) => bindPlaceholders(compiled, Object.fromEntries(branch)));
}

/** Sorts newest first, then by descending id. */
function newestFirst(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  return left.id < right.id ? 1 : Number(left.id !== right.id) * -1;
}

/** One of the ranges. */
export interface Range extends Pick<Ranges, 'models'> {
  readonly branch: Branch<string | Placeholder>;
}

export function pageQuery(
  db: Kysely<Tables>,
  { owner, filter, page }: ListRequest,
  { branch, models }: Range,
) {
  const { newest, oldest } = toBounds(filter, page);
  const direction = page.fromEnd ? 'asc' : 'desc';
  let query = db
    .selectFrom('generations')
    .select(['id', 'created_at as createdAt'])
    .where(isListed)
    .where('owner', '=', owner)
    .where((row) => row.and(branch.map(equals)))
    .$if(filter.onlyFirstTurns === true, (first) => first.where(isFirstTurn))
    .$if(branch.some(isCollection), (own) => own.where(hasCollection))
    .$if(models !== undefined, (ranged) => ranged.where('model', 'in', models ?? []))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit);
  if (newest) query = query.where(isBeyond('<', newest));
  if (oldest) query = query.where(isBeyond('>', oldest));
  return query;
}

export function countQuery(db: Kysely<Tables>, request: ListRequest, range: Range) {
  return countRows(db, pageQuery(db, request, range));
}

interface Bounds {
  /** Exclusive upper bound. */
  readonly newest: Position | undefined;
  /** Exclusive lower bound. */
  readonly oldest: Position | undefined;
}

/** Merges time filters and cursors into one bound per end, because an index range has one bound per end. */
function toBounds(
  { createdAfter, createdBefore }: GenerationFilter,
  { after, before }: GenerationPage,
): Bounds {
  // An empty id sorts before every other id of the same time.
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
