import { withoutMedia } from '../generations/without-media.ts';
import { originOf } from '../lib/addresses.ts';
import { isRecent } from '../lib/time.ts';
import { type GenerationPatch, isTerminal, type Task, type TaskLinks } from '../store/records.ts';
import { taskIdOf, type TaskHandle, type TaskReading } from './task-kinds.ts';

/** After this many reads that report success without a result, the task has succeeded. */
export const maxUnprovenReads = 3;
const unprovenIntervalMs = 60_000;

/** Counts reads that report success without a result. Reads within a minute of the last counted one do not count. */
export function countUnprovenSuccess(
  before: Task | undefined,
  { isUnprovenSuccess }: TaskReading,
  now: number,
): Task['unprovenSuccess'] {
  if (!isUnprovenSuccess) return undefined;
  const counted = before?.unprovenSuccess;
  if (counted && isRecent(counted.lastAt, now, unprovenIntervalMs)) return counted;
  return { reads: (counted?.reads ?? 0) + 1, lastAt: now };
}

/** The task after another reading. Values that the reading lacks are kept. */
export function applyReading(
  owner: string,
  known: Task | TaskHandle,
  reading: TaskReading,
  now: number,
): Task {
  const before = 'status' in known ? known : undefined;
  const task: Task = {
    ...known,
    id: 'id' in known ? known.id : taskIdOf(known),
    owner,
    ...reading,
    ...keptState(before, reading),
    progress: reading.progress ?? before?.progress,
    createdAt: before?.createdAt ?? reading.createdAt,
    logs: reading.logs ?? before?.logs,
    links: mergeLinks(before?.links, reading.links),
    output: reading.output ?? before?.output,
    error: reading.error,
    request: reading.request === undefined ? before?.request : withoutMedia(reading.request),
    metrics: reading.metrics ?? before?.metrics,
    servedBy: reading.servedBy ?? before?.servedBy,
    isDataRemoved: reading.isDataRemoved ?? before?.isDataRemoved,
    refusedReads: undefined,
    readFailure: undefined,
    lastReadAt: now,
    updatedAt: reading.updatedAt ?? now,
  };
  return withoutUndefined(task);
}

/** The state before, for a reading that says nothing about the state of an unfinished task. */
function keptState(
  before: Task | undefined,
  { status, rawStatus }: TaskReading,
): Pick<Task, 'status' | 'rawStatus'> | undefined {
  const isSilent = status === 'UNKNOWN' && rawStatus === undefined;
  if (!before || !isSilent || isTerminal(before.status)) return undefined;
  return { status: before.status, rawStatus: before.rawStatus };
}

/** As it is in its record. The task is cached, and copied for each read. */
function withoutUndefined<Value extends object>(task: Value): Value;
function withoutUndefined(task: object): object {
  return Object.fromEntries(Object.entries(task).filter(([, value]) => value !== undefined));
}

/** Merges the addresses of a reply into those of earlier replies. */
function mergeLinks(before: TaskLinks | undefined, now: TaskLinks | undefined): TaskLinks | undefined {
  const present = Object.entries(now ?? {}).filter(([, address]) => address !== undefined);
  return present.length > 0 ? { ...before, ...Object.fromEntries(present) } : before;
}

/** A generation with a task takes its status, output and error from the task. */
export function toGenerationPatch({ status, output, error, links }: Task, now: number): GenerationPatch {
  const end = isTerminal(status)
    ? { finishedAt: now, openTask: undefined }
    : { openTask: { readOrigin: originOf(links?.get) } };
  return { status, output, error, ...end };
}
