import type { Updateable } from 'kysely';
import type { ContentName, Generation, GenerationPatch, GenerationSummary, OpenTask } from '../../records.ts';
import { assembleOutput, parseText, toPartTexts } from '../contents/output-parts.ts';
import { fromJson, fromNameColumn, fromTextColumn, toNameColumn, toTextColumn } from '../basics/columns.ts';
import type { GenerationRow } from '../basics/tables.ts';

/** Columns that are null if they are absent. */
type OptionalColumn =
  | 'parent_id'
  | 'parent_choice'
  | 'root_id'
  | 'depth'
  | 'input_state'
  | 'image_bytes'
  | 'end_event'
  | 'files_due_at';
export type NewRow = Omit<GenerationRow, 'size_bytes' | OptionalColumn> &
  Partial<Pick<GenerationRow, OptionalColumn>>;

export function toGenerationRow(generation: Generation, instanceId: string): NewRow {
  const { turn, inputState, inlineImageBytes } = generation;
  return {
    id: generation.id,
    owner: generation.owner,
    kind: generation.kind,
    status: generation.status,
    model: toNameColumn(generation.model),
    group_id: toNameColumn(generation.collection),
    created_at: generation.createdAt,
    finished_at: generation.finishedAt ?? null,
    first_token_ms: generation.firstTokenMs ?? null,
    is_visible: generation.isVisible ? 1 : 0,
    task_id: generation.taskId ?? null,
    open_task: toOpenTaskColumn(generation),
    instance_id: isInProgress(generation) ? instanceId : null,
    ended_for: null,
    usage: toTextColumn(generation.usage),
    error: toTextColumn(generation.error),
    traceparent: generation.traceparent ?? null,
    // Few generations have these: a statement without them is shorter.
    ...(turn && {
      parent_id: turn.parentId,
      parent_choice: turn.choice,
      root_id: turn.rootId,
      depth: turn.depth,
    }),
    ...(inputState && { input_state: inputState }),
    ...(inlineImageBytes !== undefined && { image_bytes: inlineImageBytes }),
  };
}

type TaskOfGeneration = Pick<GenerationSummary, 'finishedAt' | 'openTask' | 'taskId'>;

function toOpenTaskColumn({ finishedAt, openTask }: TaskOfGeneration): string {
  if (finishedAt !== undefined || !openTask) return '';
  return openTask.readOrigin ?? '-';
}

export function fromOpenTaskColumn(column: string): OpenTask | undefined {
  if (column === '') return undefined;
  return column === '-' ? {} : { readOrigin: column };
}

/** Whether an instance is responsible for ending it. (The gateway ends the work of a task.) */
function isInProgress({ finishedAt, taskId }: TaskOfGeneration): boolean {
  return finishedAt === undefined && taskId === undefined;
}

/**
 * The columns that a patch changes. `patched` is the patched generation. With the generation `before`, leaves out columns that
 * keep their value, if they are in indexes: SQLite writes every index of the columns that a statement sets.
 */
export function toGenerationChanges(
  patch: GenerationPatch,
  patched: TaskOfGeneration,
  before?: GenerationSummary,
): Updateable<GenerationRow> {
  const { status, isVisible } = patch;
  const openTask = toOpenTaskColumn(patched);
  return {
    ...(status !== undefined && status !== before?.status && { status }),
    ...(isVisible !== undefined && isVisible !== before?.isVisible && { is_visible: isVisible ? 1 : 0 }),
    ...('model' in patch && { model: toNameColumn(patch.model) }),
    ...('collection' in patch && { group_id: toNameColumn(patch.collection) }),
    ...('finishedAt' in patch && { finished_at: patch.finishedAt ?? null }),
    ...(('openTask' in patch || 'finishedAt' in patch) &&
      (!before || openTask !== toOpenTaskColumn(before)) && { open_task: openTask }),
    ...('firstTokenMs' in patch && { first_token_ms: patch.firstTokenMs ?? null }),
    ...('taskId' in patch && { task_id: patch.taskId ?? null }),
    ...('usage' in patch && { usage: toTextColumn(patch.usage) }),
    ...('error' in patch && { error: toTextColumn(patch.error) }),
    ...(patch.filesDueAt !== undefined && { files_due_at: patch.filesDueAt }),
    ...(!isInProgress(patched) && { instance_id: null }),
  };
}

export type WholeGenerationRow = GenerationRow & { readonly [Part in ContentName]: string | null } & {
  /** As `joinedParts` reads them. */
  readonly output_parts?: string | null;
};

export const summaryColumns = [
  'id',
  'owner',
  'kind',
  'status',
  'model',
  'group_id',
  'created_at',
  'finished_at',
  'first_token_ms',
  'is_visible',
  'task_id',
  'open_task',
  'usage',
  'error',
  'parent_id',
  'parent_choice',
  'root_id',
  'depth',
  'input_state',
] as const satisfies readonly (keyof GenerationRow)[];

export type SummaryRow = Pick<GenerationRow, (typeof summaryColumns)[number]>;

export function fromSummaryRow(row: SummaryRow): GenerationSummary {
  return {
    id: row.id,
    owner: row.owner,
    kind: row.kind,
    status: row.status,
    model: fromNameColumn(row.model),
    collection: fromNameColumn(row.group_id),
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
    firstTokenMs: row.first_token_ms ?? undefined,
    isVisible: row.is_visible === 1,
    taskId: row.task_id ?? undefined,
    openTask: fromOpenTaskColumn(row.open_task),
    usage: fromTextColumn('usage', row.usage),
    error: fromTextColumn('error', row.error),
    ...fromTurnColumns(row),
  };
}

function fromTurnColumns({
  parent_id: parentId,
  parent_choice: choice,
  root_id: rootId,
  depth,
  input_state: state,
}: SummaryRow): Pick<GenerationSummary, 'turn' | 'inputState'> {
  return {
    ...(parentId !== null &&
      rootId !== null && { turn: { parentId, choice: choice ?? 0, rootId, depth: depth ?? 0 } }),
    ...(state !== null && { inputState: state }),
  };
}

export function fromGenerationRow(row: WholeGenerationRow): Generation {
  return {
    ...fromSummaryRow(row),
    prompt: fromTextColumn('prompt', row.prompt),
    input: fromTextColumn('input', row.input) ?? {},
    output: fromOutputColumns(row),
    raw: fromTextColumn('raw', row.raw),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  };
}

function fromOutputColumns({
  output,
  output_parts: joined = null,
}: WholeGenerationRow): Generation['output'] {
  if (output === null) return undefined;
  return fromJson('output', assembleOutput(parseText(output), toPartTexts(joined).map(parseText)));
}
