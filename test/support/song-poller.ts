import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import type { Caller } from '../../src/gateway/caller.ts';
import type { Task } from '../../src/store/records.ts';
import { createPoller } from '../../src/tasks/poller.ts';
import type { TaskKinds } from '../../src/tasks/task-kinds.ts';
import type { TaskOutcome } from '../../src/tasks/task-outcome.ts';
import type { Tasks } from '../../src/tasks/tasks.ts';
import { buildTask } from '../store/support.ts';
import { createManualClock } from './manual-clock.ts';

/** A poller of songs, which one request reads. */
export function startSongPoller(read: (task: Task, caller: Caller) => TaskOutcome) {
  const clock = createManualClock();
  const saved: Task[] = [];
  const tasks: Partial<Tasks> = {
    isTrackable: () => true,
    find: async (_owner, ids) => ids.map((id) => buildTask({ id })),
    readAgain: async (caller, known) => known.map((task) => read(task, caller)),
    save: async (task) => void saved.push(task),
  };
  const kinds: Partial<TaskKinds> = {
    find: () => ({ batch: 'songs' }),
    handleOf: (id) => ({ kind: 'SONG', upstreamId: id }),
  };
  const poller = createPoller({
    tasks: tasks as Tasks,
    store: { instanceId: 'this', findTasks: async () => [], sharing: undefined },
    bus: createInProcessBus(),
    kinds: kinds as TaskKinds,
    clock,
    random: () => 0.5,
    minIntervalMs: 1000,
    maxIntervalMs: 8000,
    failureGraceMs: 60_000,
    followMs: 3_600_000,
  });
  const advance = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { poller, clock, saved, advance };
}
