import type { Insertable, Updateable } from 'kysely';
import { type Json, parseJson, stringifyJson } from '../../lib/json.ts';
import type { AccessToken, Creation, Generation, GenerationPatch, Task } from '../records.ts';
import type {
  AccessTokenRow,
  ContentPart,
  ContentRow,
  CreationRow,
  GenerationRow,
  TaskRow,
} from './tables.ts';

/** Ids of records are made by us. Anything else is nobody's id, and may hold what an engine refuses. */
export function isRecordId(id: string): boolean {
  return /^[\w-]{1,4000}$/.test(id);
}

/** A name that a client chose, as a column that can be compared; empty for none. */
export function toNameColumn(name: string | undefined): string {
  return name === undefined ? '' : JSON.stringify(name);
}

function fromNameColumn(column: string): string | undefined {
  return column === '' ? undefined : String(JSON.parse(column));
}

function toTextColumn(value: unknown): string | null {
  return value === undefined ? null : stringifyJson(value);
}

/** What `toTextColumn` wrote, hence of the type that it was given. */
function fromTextColumn(column: string | null): Json | undefined {
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

export function toGenerationRow(generation: Generation, instanceId: string): GenerationRow {
  return {
    id: generation.id,
    owner: generation.owner,
    kind: generation.kind,
    status: generation.status,
    model: toNameColumn(generation.model),
    group_id: toNameColumn(generation.group),
    created_at: generation.createdAt,
    finished_at: generation.finishedAt ?? null,
    is_visible: generation.isVisible ? 1 : 0,
    task_id: generation.taskId ?? null,
    instance_id: isWorkedOn(generation) ? instanceId : null,
    prompt: toTextColumn(generation.prompt),
    usage: toTextColumn(generation.usage),
    error: toTextColumn(generation.error),
  };
}

/** Whether a process of ours has to bring it to its end. */
function isWorkedOn({ finishedAt, taskId }: Generation): boolean {
  return finishedAt === undefined && taskId === undefined;
}

/** The columns that a patch changes. `patched` is the whole afterwards. */
export function toGenerationChanges(patch: GenerationPatch, patched: Generation): Updateable<GenerationRow> {
  return {
    ...(patch.status !== undefined && { status: patch.status }),
    ...(patch.isVisible !== undefined && { is_visible: patch.isVisible ? 1 : 0 }),
    ...('model' in patch && { model: toNameColumn(patch.model) }),
    ...('group' in patch && { group_id: toNameColumn(patch.group) }),
    ...('finishedAt' in patch && { finished_at: patch.finishedAt ?? null }),
    ...('taskId' in patch && { task_id: patch.taskId ?? null }),
    ...('prompt' in patch && { prompt: toTextColumn(patch.prompt) }),
    ...('usage' in patch && { usage: toTextColumn(patch.usage) }),
    ...('error' in patch && { error: toTextColumn(patch.error) }),
    ...(!isWorkedOn(patched) && { instance_id: null }),
  };
}

const contentParts = ['input', 'output', 'raw'] as const satisfies readonly ContentPart[];

export interface ContentChanges {
  readonly saved: readonly Insertable<ContentRow>[];
  readonly removed: readonly ContentPart[];
}

/** What a record, or a patch of one, says of the parts that are kept apart. */
export function toContentChanges(id: string, patch: GenerationPatch): ContentChanges {
  const told = contentParts.filter((part) => part in patch);
  return {
    saved: told
      .filter((part) => patch[part] !== undefined)
      .map((part) => ({ generation_id: id, part, body: stringifyJson(patch[part]) })),
    removed: told.filter((part) => patch[part] === undefined),
  };
}

/** A generation with its parts. */
export type WholeGenerationRow = GenerationRow & { readonly [Part in ContentPart]: string | null };

export function fromGenerationRow(row: WholeGenerationRow): Generation {
  return {
    id: row.id,
    owner: row.owner,
    kind: row.kind,
    status: row.status,
    model: fromNameColumn(row.model),
    group: fromNameColumn(row.group_id),
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
    isVisible: row.is_visible === 1,
    taskId: row.task_id ?? undefined,
    prompt: fromTextColumn(row.prompt) as Generation['prompt'],
    usage: fromTextColumn(row.usage) as Generation['usage'],
    error: fromTextColumn(row.error) as unknown as Generation['error'],
    input: (fromTextColumn(row.input) ?? {}) as Generation['input'],
    output: fromTextColumn(row.output) as unknown as Generation['output'],
    raw: fromTextColumn(row.raw),
  };
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
