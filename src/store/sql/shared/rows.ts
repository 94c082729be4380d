import type { Insertable, Updateable } from 'kysely';
import { type Json, parseJson, stringifyJson } from '../../../lib/json.ts';
import type {
  AccessToken,
  Creation,
  Generation,
  GenerationPatch,
  GenerationSummary,
  InputState,
  OpenTask,
  Task,
} from '../../records.ts';
import { assembleOutput, parseText, toPartTexts } from '../contents/output-parts.ts';
import type {
  AccessTokenRow,
  ContentPart,
  ContentRow,
  CreationRow,
  GenerationRow,
  TaskRow,
} from './tables.ts';

/** Whether a client-supplied id has the format of our record ids. Other text may contain characters that an engine rejects. */
export function isRecordId(id: string): boolean {
  return /^[\w-]{1,4000}$/.test(id);
}

/** Encodes a client-chosen name as a comparable column. Empty means none. */
export function toNameColumn(name: string | undefined): string {
  return name === undefined ? '' : JSON.stringify(name);
}

export function fromNameColumn(column: string): string | undefined {
  return column === '' ? undefined : String(JSON.parse(column));
}

function toTextColumn(value: unknown): string | null {
  return value === undefined ? null : stringifyJson(value);
}

/** Decodes a column that `toTextColumn` wrote. */
export function fromTextColumn(column: string | null): Json | undefined {
  return column === null ? undefined : parseJson(column);
}

export function toCreationRow(creation: Creation, instanceId: string): CreationRow {
  return {
    id: creation.id,
    owner: creation.owner,
    key: creation.key === undefined ? null : toNameColumn(creation.key),
    operation: creation.operation,
    fingerprint: creation.fingerprint,
    phase: creation.phase,
    subject_id: creation.subjectId,
    instance_id: instanceId,
    created_at: creation.createdAt,
  };
}

export function fromCreationRow(row: CreationRow): Creation {
  return {
    id: row.id,
    owner: row.owner,
    key: fromNameColumn(row.key ?? ''),
    operation: row.operation,
    fingerprint: row.fingerprint,
    phase: row.phase,
    subjectId: row.subject_id,
    createdAt: row.created_at,
    instanceId: row.instance_id,
  };
}

/** Columns that are null if they are absent. */
type OptionalColumn = 'parent_id' | 'parent_choice' | 'root_id' | 'depth' | 'input_state' | 'image_bytes';
type NewRow = Omit<GenerationRow, 'size_bytes' | OptionalColumn> &
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

function toOpenTaskColumn({ finishedAt, openTask }: GenerationSummary): string {
  if (finishedAt !== undefined || !openTask) return '';
  return openTask.readOrigin ?? '-';
}

export function fromOpenTaskColumn(column: string): OpenTask | undefined {
  if (column === '') return undefined;
  return column === '-' ? {} : { readOrigin: column };
}

/** Whether an instance is responsible for ending it. (The gateway ends the work of a task.) */
function isInProgress({ finishedAt, taskId }: GenerationSummary): boolean {
  return finishedAt === undefined && taskId === undefined;
}

/**
 * The columns that a patch changes. `patched` is the patched generation. With the generation `before`, leaves out columns that
 * keep their value, if they are in indexes: SQLite writes every index of the columns that a statement sets.
 */
export function toGenerationChanges(
  patch: GenerationPatch,
  patched: GenerationSummary,
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
    ...(!isInProgress(patched) && { instance_id: null }),
  };
}

export const contentParts = ['prompt', 'input', 'output', 'raw'] as const satisfies readonly ContentPart[];

export interface ContentChanges {
  readonly saved: readonly Insertable<ContentRow>[];
  readonly removed: readonly ContentPart[];
}

/** The changes that a record or patch makes to the content rows. `texts` are contents that are JSON text already. */
export function toContentChanges(
  id: string,
  patch: GenerationPatch,
  texts: ReadonlyMap<ContentPart, string>,
): ContentChanges {
  const present = contentParts.filter((part) => part in patch);
  return {
    saved: present
      .filter((part) => patch[part] !== undefined)
      .map((part) => ({ generation_id: id, part, body: texts.get(part) ?? stringifyJson(patch[part]) })),
    removed: present.filter((part) => patch[part] === undefined),
  };
}

/** A generation with its contents. */
export type WholeGenerationRow = GenerationRow & { readonly [Part in ContentPart]: string | null } & {
  /** As `joinedParts` reads them. */
  readonly output_parts?: string | null;
};

/** The columns of a summary. */
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
    usage: fromTextColumn(row.usage) as Generation['usage'],
    error: fromTextColumn(row.error) as unknown as Generation['error'],
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
    // Written by `toGenerationRow`.
    ...(state !== null && { inputState: state as InputState }),
  };
}

export function fromGenerationRow(row: WholeGenerationRow): Generation {
  return {
    ...fromSummaryRow(row),
    prompt: fromTextColumn(row.prompt) as Generation['prompt'],
    input: (fromTextColumn(row.input) ?? {}) as Generation['input'],
    output: fromOutputColumns(row) as unknown as Generation['output'],
    raw: fromTextColumn(row.raw),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  };
}

function fromOutputColumns({ output, output_parts: joined = null }: WholeGenerationRow): Json | undefined {
  return output === null ? undefined : assembleOutput(parseText(output), toPartTexts(joined).map(parseText));
}

export function toTaskRow({ owner, ...task }: Task): TaskRow {
  return {
    owner,
    id: task.id,
    generation_id: task.generationId ?? null,
    updated_at: task.updatedAt ?? task.createdAt ?? 0,
    body: stringifyJson(task),
  };
}

export function fromTaskRow({ owner, body }: Pick<TaskRow, 'owner' | 'body'>): Task {
  // Written by `toTaskRow`.
  return { ...(parseJson(body) as unknown as Omit<Task, 'owner'>), owner };
}

export function toAccessTokenRow({ owner, ...token }: AccessToken): AccessTokenRow {
  return { id: token.id, owner, created_at: token.createdAt, body: stringifyJson(token) };
}

export function fromAccessTokenRow({ owner, body }: Pick<AccessTokenRow, 'owner' | 'body'>): AccessToken {
  // Written by `toAccessTokenRow`.
  return { ...(parseJson(body) as unknown as Omit<AccessToken, 'owner'>), owner };
}
