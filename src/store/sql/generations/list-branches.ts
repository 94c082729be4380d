import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { isTerminal, type ShownStatus, type TaskStatus } from '../../records.ts';
import { shownStatus } from '../../shown-status.ts';
import type { GenerationFilter } from '../../store.ts';
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
function toColumns({ collection, kinds, statuses, models }: GenerationFilter): Columns {
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

/** The branches that occur and match the filter. */
export async function findBranches(db: Kysely<Tables>, request: BranchRequest): Promise<readonly Branch[]> {
  const { owner, filter } = request;
  let branches: readonly Branch[] = [[]];
  for (const [column, wanted] of toColumns(filter)) {
    const longer: Branch[] = [];
    for (const branch of branches) {
      const values =
        wanted ?? knownValues(branch, column) ?? (await findValues(db, { owner, branch, column }));
      longer.push(...values.map((value) => [...branch, [column, value] as const]));
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

/** Distinct values of a column, by a loose index scan. */
async function findValues(db: Kysely<Tables>, request: ValuesRequest): Promise<readonly string[]> {
  const values: string[] = [];
  for (;;) {
    const next = await nextValueQuery(db, { ...request, last: values.at(-1) }).executeTakeFirst();
    if (!next) return values;
    values.push(next.value);
  }
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
    .orderBy(column)
    .limit(1);
  return last === undefined ? query : query.where(sql<boolean>`${sql.ref(column)} > ${last}`);
}

/** SQL condition: a column has the value of a branch. */
export function equals([column, value]: Branch<string | Placeholder>[number]): RawBuilder<boolean> {
  return sql`${sql.ref(column)} = ${value}`;
}

/** A literal as in the partial indexes. With a bound parameter the planner would not use them. */
export function isListed(row: ExpressionBuilder<Tables, 'generations'>) {
  return row('is_visible', '=', sql.lit(1));
}
