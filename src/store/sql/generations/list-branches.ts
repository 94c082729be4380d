import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { conversationKind, isTerminal, type ShownStatus, type TaskStatus } from '../../records.ts';
import { shownStatus } from '../../shown-status.ts';
import type { GenerationFilter } from '../../generation-filter.ts';
import { fromOpenTaskColumn } from './generation-rows.ts';
import { toNameColumn } from '../basics/columns.ts';
import type { Placeholder } from '../basics/placeholders.ts';
import type { Tables } from '../basics/tables.ts';

export interface BranchRequest {
  readonly owner: string;
  readonly filter: GenerationFilter;
}

type Column = 'group_id' | 'kind' | 'status' | 'open_task' | 'model';

/** One value per filter column. */
export type Branch<Value = string> = readonly (readonly [Column, Value])[];

/** Columns of one index, in index order, with the requested values. Undefined means all values that occur. */
type Columns = readonly (readonly [Column, readonly string[] | undefined])[];

/** Chooses the index and the values of its columns. */
function toColumns(filter: GenerationFilter): Columns {
  const { collection, statuses, models } = filter;
  // First turns have one kind, and indexes of their own.
  const kinds = filter.onlyFirstTurns ? undefined : filter.kinds;
  const states: Columns = [
    ['kind', distinct(kinds)],
    ['status', distinct(statuses?.flatMap(toStoredStatuses))],
    ['open_task', undefined],
  ];
  const byModel: Columns = [['model', distinct(models?.map(toNameColumn))]];
  const isNarrowed = kinds !== undefined || statuses !== undefined || models !== undefined;
  if (collection !== undefined)
    return [['group_id', [toNameColumn(collection)]], ...(isNarrowed ? [...states, ...byModel] : [])];
  if (models) return [...byModel, ...states];
  return isNarrowed ? states : [];
}

/** The statuses that a task without a known end can have. */
const openStatuses: readonly TaskStatus[] = ['QUEUED', 'RUNNING', 'UNKNOWN'];

function toStoredStatuses(status: ShownStatus): readonly TaskStatus[] {
  return status === 'SUBMITTED' ? openStatuses : [status];
}

function distinct(values: readonly string[] | undefined): readonly string[] | undefined {
  return values && [...new Set(values)];
}

/** The index ranges that have all matches of a filter. */
export interface Ranges {
  readonly branches: readonly Branch[];
  /** The models of the matches within the ranges. Undefined: all. */
  readonly models?: readonly string[] | undefined;
}

/** With more branches, a list reads the ranges of all models: each branch costs a statement or more. */
const maxBranches = 200;

/** Finds the branches that occur and match the filter. */
export async function findRanges(db: Kysely<Tables>, request: BranchRequest): Promise<Ranges> {
  const { filter } = request;
  if (filter.onlyFirstTurns && filter.kinds?.includes(conversationKind) === false) return { branches: [] };
  const branches = await findBranches(db, request, { columns: toColumns(filter), limit: maxBranches });
  if (branches) return { branches };
  const columns = toColumns({ ...filter, models: undefined }).filter(([column]) => column !== 'model');
  return {
    branches: (await findBranches(db, request, { columns, limit: Infinity })) ?? [],
    models: distinct(filter.models?.map(toNameColumn)),
  };
}

interface Search {
  readonly columns: Columns;
  readonly limit: number;
}

/** Undefined if there are more than the limit. */
async function findBranches(
  db: Kysely<Tables>,
  { owner, filter }: BranchRequest,
  { columns, limit }: Search,
): Promise<readonly Branch[] | undefined> {
  let branches: readonly Branch[] = [[]];
  for (const [column, wanted] of columns) {
    const longer: Branch[] = [];
    for (const branch of branches) {
      const search = { owner, branch, column };
      const values =
        knownValues(branch, column) ??
        (wanted
          ? await findWanted(db, { ...search, wanted })
          : await findValues(db, search, limit - longer.length));
      longer.push(...values.map((value) => [...branch, [column, value] as const]));
      if (longer.length > limit) return undefined;
    }
    branches = column === 'open_task' ? longer.filter((branch) => matchesStatus(branch, filter)) : longer;
  }
  return branches;
}

/** Generations that have ended have no unfinished task. */
function knownValues(branch: Branch, column: Column): readonly string[] | undefined {
  return column === 'open_task' && isTerminal(statusOf(branch)) ? [''] : undefined;
}

/** Whether the generations of a branch have one of the wanted statuses, as clients see them. */
function matchesStatus(branch: Branch, { statuses, canRead }: GenerationFilter): boolean {
  const { kind = '', open_task = '' } = Object.fromEntries(branch);
  const status = shownStatus(
    { kind, status: statusOf(branch), openTask: fromOpenTaskColumn(open_task) },
    canRead,
  );
  return !statuses || statuses.includes(status);
}

function statusOf(branch: Branch): TaskStatus {
  // The column holds stored statuses.
  return Object.fromEntries(branch)['status'] as TaskStatus;
}

interface ValuesRequest {
  readonly owner: string;
  readonly branch: Branch;
  readonly column: Column;
}

/** Distinct values of a column, by a loose index scan. Ends with the first beyond the limit. */
async function findValues(
  db: Kysely<Tables>,
  request: ValuesRequest,
  limit: number,
): Promise<readonly string[]> {
  const values: string[] = [];
  while (values.length <= limit) {
    const next = await nextValueQuery(db, { ...request, last: values.at(-1) }).executeTakeFirst();
    if (!next) break;
    values.push(next.value);
  }
  return values;
}

interface WantedRequest extends ValuesRequest {
  readonly wanted: readonly string[];
}

/** Those of the wanted values that occur. A single one needs no search: its range shows whether it occurs. */
async function findWanted(db: Kysely<Tables>, request: WantedRequest): Promise<readonly string[]> {
  if (request.wanted.length <= 1) return request.wanted;
  const { rows } = await wantedQuery(request).execute(db);
  return rows.map(({ value }) => value);
}

/** One search of the index for each value, in one statement. The order makes the planner choose the index. */
export function wantedQuery({ owner, branch, column, wanted }: WantedRequest) {
  const values = wanted.map((value) => sql`(cast(${value} as text))`);
  const conditions = branch.map((part) => sql` and ${equals(part)}`);
  if (branch.some(isCollection)) conditions.push(sql` and group_id <> ''`);
  const name = sql.ref(column);
  return sql<{ readonly value: string }>`
    with wanted (value) as (values ${sql.join(values)})
    select value from wanted where value = (
      select ${name} from generations
      where is_visible = 1 and owner = ${owner}${sql.join(conditions, sql``)} and ${name} >= wanted.value
      order by ${name} limit 1
    )`;
}

interface NextValue extends ValuesRequest {
  readonly last: string | undefined;
}

export function nextValueQuery(db: Kysely<Tables>, { owner, branch, column, last }: NextValue) {
  const query = db
    .selectFrom('generations')
    .select((row) => row.ref(column).$castTo<string>().as('value'))
    .where(isListed)
    .where('owner', '=', owner)
    .where((row) => row.and(branch.map(equals)))
    .$if(branch.some(isCollection), (own) => own.where(hasCollection))
    .orderBy(column)
    .limit(1);
  return last === undefined ? query : query.where(sql<boolean>`${sql.ref(column)} > ${last}`);
}

/** SQL condition: a column has the value of a branch. */
export function equals([column, value]: Branch<string | Placeholder>[number]): RawBuilder<boolean> {
  return sql`${sql.ref(column)} = ${value}`;
}

/** Literals as in the partial indexes of first turns. */
export function isFirstTurn({ and, eb }: ExpressionBuilder<Tables, 'generations'>) {
  return and([eb('parent_id', 'is', null), eb('kind', '=', sql.lit(conversationKind))]);
}

export function isCollection([column]: Branch<unknown>[number]): boolean {
  return column === 'group_id';
}

/** A literal as in the indexes of collections, where most generations have no entry. */
export function hasCollection(row: ExpressionBuilder<Tables, 'generations'>) {
  return row('group_id', '<>', sql.lit(''));
}

/** A literal as in the partial indexes. With a bound parameter the planner would not use them. */
export function isListed(row: ExpressionBuilder<Tables, 'generations'>) {
  return row('is_visible', '=', sql.lit(1));
}
