import { GatewayError } from '../errors.ts';
import { toFailure } from '../generations/failure.ts';
import type { Clock } from '../lib/clock.ts';
import { toError } from '../lib/thrown.ts';
import { type GenerationFailure, isTerminal, type Task } from '../store/records.ts';
import { sharedTime } from '../store/sharing.ts';
import type { Store } from '../store/store.ts';
import { toGenerationPatch } from './apply-reading.ts';
import { afterFailedRead, afterRefusedRead, asRefusedRead, withoutRefusals } from './refused-reads.ts';
import { saysUnfinished } from './says-unfinished.ts';
import { taskIdOf, type TaskHandle } from './task-kinds.ts';
import type { TaskOutcome } from './task-outcome.ts';

export interface FailedReadsOptions {
  readonly store: Pick<Store, 'saveTask' | 'sharing'>;
  readonly clock: Clock;
  readonly onReadFailed?: (error: unknown) => void;
}

interface FailedRead {
  readonly error: unknown;
  /** Whether the request read only this task, so that its refusal concerns it. */
  readonly readsOne: boolean;
}

/** The outcomes of reads that report no state. Records what they change: the count of refusals, which may end a task. */
export interface FailedReads {
  failed(owner: string, known: Task | TaskHandle, failure: FailedRead): Promise<TaskOutcome>;
  /** The reply does not have this task. */
  notFound(known: Task | TaskHandle): Promise<TaskOutcome>;
}

export function createFailedReads({ store, clock, onReadFailed }: FailedReadsOptions): FailedReads {
  const saveIfChanged = async (before: Task, task: Task): Promise<Task> => {
    if (task === before) return task;
    const hasChanged = task.status !== before.status && task.generationId !== undefined;
    const patch = hasChanged ? toGenerationPatch(task, clock.now()) : undefined;
    try {
      return (await store.saveTask(task, patch)).task;
    } catch (error) {
      onReadFailed?.(error);
      return before;
    }
  };

  /** A recorded task keeps its state and shows the failed read, unless the read ends it. */
  const withFailure = async (known: Task, after: Task, readFailure: GenerationFailure): Promise<Task> => {
    const task = await saveIfChanged(known, after);
    return isTerminal(task.status) ? task : { ...task, readFailure };
  };

  return {
    async failed(owner, known, { error, readsOne }) {
      const isGone = readsOne && error instanceof GatewayError && error.status === 410;
      if (!('status' in known)) {
        if (saysUnfinished(error))
          return { ...known, id: taskIdOf(known), owner, status: 'RUNNING', lastReadAt: clock.now() };
        if (isGone) return undefined;
        return toError(error);
      }
      if (saysUnfinished(error))
        return { ...(await saveIfChanged(known, withoutRefusals(known))), lastReadAt: clock.now() };
      const refusal = readsOne ? asRefusedRead(error) : undefined;
      const now = sharedTime(store, clock);
      const after = refusal ? afterRefusedRead(known, refusal, now) : afterFailedRead(known, now);
      return withFailure(known, after, isGone ? unknownToGateway : toFailure(error));
    },
    notFound: async (known) =>
      'status' in known
        ? withFailure(known, afterFailedRead(known, sharedTime(store, clock)), unknownToGateway)
        : undefined,
  };
}

/** Not a failed task: the gateway may not list it yet, may have deleted it, or it belongs to another account. */
const unknownToGateway: GenerationFailure = {
  code: 'NOT_FOUND',
  message:
    'The gateway does not know this task; it may have deleted it. The task shows the last state that was read.',
};
