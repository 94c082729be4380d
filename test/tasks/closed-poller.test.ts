import { expect, test } from 'vitest';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import { createPoller } from '../../src/tasks/poller.ts';
import type { TaskKinds } from '../../src/tasks/task-kinds.ts';
import type { Tasks } from '../../src/tasks/tasks.ts';
import { buildTask, owner } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a poller follows a task until it is closed, and takes no other one then', () => {
  const clock = createManualClock();
  const kinds: Partial<TaskKinds> = {
    find: () => undefined,
    handleOf: (id) => ({ id, kind: 'SONG', upstreamId: id }),
  };
  const poller = createPoller({
    tasks: { isTrackable: () => true } as Partial<Tasks> as Tasks,
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
  const caller = { owner, credential: '', userId: undefined, forwarded: {} };
  const follow = (id: string): void =>
    poller.follow(caller, [{ task: buildTask({ id }), createdAt: clock.now() }]);
  follow('task_1');
  expect([poller.polled, poller.isFollowed(owner, 'task_1')]).toEqual([1, true]);
  poller.close();
  expect(poller.polled).toBe(0);
  follow('task_2');
  expect([poller.polled, poller.isFollowed(owner, 'task_2')]).toEqual([0, false]);
  expect(clock.pending(1000)).toBe(0);
});
