import type { Abandonment } from '../../store.ts';
import { fromOpenTaskColumn } from './generation-rows.ts';
import type { GenerationRow } from '../basics/tables.ts';

export const abandonmentColumns = [
  'kind',
  'open_task',
  'created_at',
] as const satisfies readonly (keyof GenerationRow)[];

/** Whether a generation without an end, on which no instance works, is abandoned. */
export function isAbandoned(
  { kind, open_task, created_at }: Pick<GenerationRow, (typeof abandonmentColumns)[number]>,
  { canRead, followedAfter }: Abandonment,
): boolean {
  const openTask = fromOpenTaskColumn(open_task);
  return created_at < followedAfter || (openTask !== undefined && !canRead(kind, openTask));
}
