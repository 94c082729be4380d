import { isDeepStrictEqual } from 'node:util';
import { toRecordedReply } from '../generations/recorded-reply.ts';
import type { Clock } from '../lib/clock.ts';
import { isTerminal, type Task } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { applyReading, countUnprovenSuccess, maxUnprovenReads, toGenerationPatch } from './apply-reading.ts';
import type { TaskHandle, TaskReading } from './task-kinds.ts';

/** Records a reading with its generation. Returns the updated task, or the recorded one if nothing changed. */
type RecordReading = (owner: string, known: Task | TaskHandle, reading: TaskReading) => Promise<Task>;

export function createRecordReading({
  store,
  clock,
  maxReplyBytes,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly maxReplyBytes: number;
}): RecordReading {
  return async (owner, known, reading) => {
    const before = 'status' in known ? known : undefined;
    if (before && isTerminal(before.status)) return before;
    const raw = toRecordedReply(reading.raw, reading, maxReplyBytes);
    const now = clock.now();
    const unprovenSuccess = countUnprovenSuccess(before, reading, now);
    // A reading derives entirely from its reply, so an equal reply changes nothing.
    if (before && before.unprovenSuccess === unprovenSuccess && isDeepStrictEqual(before.raw, raw))
      return before;
    const { isUnprovenSuccess: _unproven, ...state } = reading;
    const task = {
      ...applyReading(owner, known, { ...state, raw }, now),
      unprovenSuccess,
      // The gateway keeps reporting success. The result has an unknown form, or is gone.
      ...(unprovenSuccess && unprovenSuccess.reads >= maxUnprovenReads && { status: 'SUCCEEDED' as const }),
    };
    const patch = task.generationId === undefined ? undefined : toGenerationPatch(task, now);
    return (await store.saveTask(task, patch)).task;
  };
}
