import { toRecordedReply } from '../generations/recorded-reply.ts';
import type { Clock } from '../lib/clock.ts';
import { isSameJson, type Json } from '../lib/json.ts';
import { isPresumedFailed, isTerminal, type Task } from '../store/records.ts';
import { sharedTime } from '../store/sharing.ts';
import type { Store } from '../store/store.ts';
import { applyReading, countUnprovenSuccess, maxUnprovenReads, toGenerationPatch } from './apply-reading.ts';
import type { TaskHandle, TaskReading } from './task-kinds.ts';

/** A task or handle with its reading. */
export interface KnownReading {
  readonly known: Task | TaskHandle;
  readonly reading: TaskReading;
}

/**
 * Records readings of one owner's tasks with their generations. Returns each updated task, or the recorded one if nothing
 * changed. Writes only the changes.
 */
export type RecordReadings = (owner: string, readings: readonly KnownReading[]) => Promise<readonly Task[]>;

/**
 * Whether a task's record at the gateway repeats the one of the last recorded reading. A reading derives entirely from it, so
 * it changes nothing.
 */
export function repeatsReading(known: Task | TaskHandle, record: Json): known is Task {
  return mayRepeat(known) && isSameJson(known.raw, record);
}

/** Whether a reading with the same record as the last one changes nothing, whatever the time. */
export function mayRepeat(known: Task | TaskHandle | undefined): known is Task {
  if (!known || !('status' in known) || known.lastReadAt === undefined || isTerminal(known.status))
    return false;
  return !known.refusedReads && !known.unprovenSuccess;
}

export function createRecordReadings({
  store,
  clock,
  maxReplyBytes,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly maxReplyBytes: number;
}): RecordReadings {
  const toRaw = (reading: TaskReading): Promise<Json> => toRecordedReply(reading.raw, reading, maxReplyBytes);
  return async (owner, readings) => {
    const now = clock.now();
    const sharedNow = sharedTime(store, clock);
    /** The recorded task if the reading does not change it, or the change. */
    const compare = async ({ known, reading }: KnownReading): Promise<Task | KnownReading> => {
      const isRecorded = 'status' in known;
      if (isRecorded && isTerminal(known.status) && !isPresumedFailed(known)) return known;
      const mayBeSame =
        isRecorded &&
        !known.refusedReads &&
        known.unprovenSuccess === countUnprovenSuccess(known, reading, sharedNow);
      // A reading derives entirely from its reply, so an equal reply changes nothing. Most are recorded as received.
      if (mayBeSame && isSameJson(known.raw, reading.raw)) return known;
      const raw = await toRaw(reading);
      if (mayBeSame && raw !== reading.raw && isSameJson(known.raw, raw)) return known;
      return { known, reading: { ...reading, raw } };
    };
    const save = async ({ known, reading }: KnownReading): Promise<Task> => {
      const unprovenSuccess = countUnprovenSuccess('status' in known ? known : undefined, reading, sharedNow);
      const { isUnprovenSuccess: _unproven, ...state } = reading;
      const task = {
        ...applyReading(owner, known, state, now),
        unprovenSuccess,
        // The gateway keeps reporting success. The result has an unknown form, or is gone.
        ...(unprovenSuccess && unprovenSuccess.reads >= maxUnprovenReads && { status: 'SUCCEEDED' as const }),
      };
      const patch = task.generationId === undefined ? undefined : toGenerationPatch(task, now);
      const { task: saved } = await store.saveTask(task, patch);
      const hasSameSubject = task.generationId !== undefined || saved.generationId === undefined;
      if (hasSameSubject || (isTerminal(saved.status) && !isPresumedFailed(saved))) return saved;
      // Its create was recorded during the read, so its generation gets the reading too.
      return save({ known: saved, reading });
    };
    const compared = await Promise.all(readings.map(compare));
    return Promise.all(compared.map(async (each) => ('known' in each ? save(each) : each)));
  };
}
