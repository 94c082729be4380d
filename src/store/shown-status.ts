import type { Generation, GenerationKind, OpenTask, ShownStatus } from './records.ts';

/** Whether this deployment can read the state of an unfinished task. */
export type CanRead = (kind: GenerationKind, openTask: OpenTask) => boolean;

type StatusMembers = Pick<Generation, 'kind' | 'status' | 'finishedAt' | 'openTask'>;

/** The status of a generation as clients see it. */
export function shownStatus(
  { kind, status, finishedAt, openTask }: StatusMembers,
  canRead: CanRead = () => true,
): ShownStatus {
  const isUnreadable = finishedAt === undefined && openTask !== undefined && !canRead(kind, openTask);
  return isUnreadable ? 'SUBMITTED' : status;
}

/** Whether nothing more will be learned about a generation: it has ended, or it is SUBMITTED. */
export function isGenerationTerminal(generation: StatusMembers, canRead: CanRead): boolean {
  return generation.finishedAt !== undefined || shownStatus(generation, canRead) === 'SUBMITTED';
}
