import { expect, test } from 'vitest';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import type { Task } from '../../src/store/records.ts';
import { createPoller } from '../../src/tasks/poller.ts';
import type { TaskKinds } from '../../src/tasks/task-kinds.ts';
import type { TaskOutcome } from '../../src/tasks/task-outcome.ts';
import type { Tasks } from '../../src/tasks/tasks.ts';
import { buildTask, owner } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';

const caller = { owner, credential: '', userId: undefined, forwarded: {} };

/** A poller of songs, which one request reads. */
function startPoller(read: (task: Task) => TaskOutcome) {
  const clock = createManualClock();
  const saved: Task[] = [];
  const tasks: Partial<Tasks> = {
    isTrackable: () => true,
    readAgain: async (_caller, known) => known.map(read),
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

test('a watcher of an end that was only presumed does not end the watch of the task that goes on', async () => {
  const { poller, advance } = startPoller((task) => ({ ...task, progress: 0.5 }));
  const other = poller.watch(caller, [buildTask({ id: 'task_2' })]);
  await other.next();
  const ended = poller.watch(caller, [buildTask({ id: 'task_1', status: 'FAILED' })]);
  await ended.next();
  const watching = poller.watch(caller, [buildTask({ id: 'task_1' })]);
  await watching.next();
  await ended.return?.();
  const changed = watching.next();
  await advance(2000);
  expect(poller.polled).toBe(2);
  expect((await changed).value).toMatchObject({ id: 'task_1', progress: 0.5 });
  poller.close();
});

test('a task that is not followed any more keeps what others have read of it', async () => {
  const { poller, clock, saved, advance } = startPoller((task) => ({
    ...task,
    progress: 0.8,
    readFailure: { code: 'AUTHENTICATION_FAILED', message: 'The key was revoked.' },
  }));
  const task = buildTask({ progress: 0.1, lastReadAt: 1 });
  poller.follow(caller, [{ task, createdAt: clock.now() }]);
  await advance(2000);
  expect(saved).toMatchObject([{ id: task.id, progress: 0.8 }]);
  poller.close();
});

test('watchers see what others have read while reads here fail', async () => {
  const { poller, advance } = startPoller((task) => ({
    ...task,
    progress: 0.8,
    readFailure: { code: 'GATEWAY_ERROR', message: 'The gateway failed.' },
  }));
  const watching = poller.watch(caller, [buildTask({ progress: 0.1 })]);
  await watching.next();
  const changed = watching.next();
  await advance(2000);
  const { value } = await changed;
  expect(value).toMatchObject({ progress: 0.8 });
  expect(value?.readFailure).toBeUndefined();
  poller.close();
});
