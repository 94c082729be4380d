import { stringifyJson } from '../../../lib/json.ts';
import type { Task } from '../../records.ts';
import { parseColumn } from '../basics/columns.ts';
import type { TaskRow } from '../basics/tables.ts';

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
  return { ...parseColumn('task', body), owner };
}
