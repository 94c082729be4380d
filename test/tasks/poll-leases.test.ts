import { expect, test } from 'vitest';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import type { PollRecords } from '../../src/store/poll-records.ts';
import { createPollLeases } from '../../src/tasks/poll-leases.ts';
import { createPollRounds } from '../../src/tasks/poll-rounds.ts';
import type { TaskKinds } from '../../src/tasks/task-kinds.ts';
import { buildTask, owner } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** The leases of an instance beside another one, which polls the round of a task. */
function startBeside(holder: string) {
  const clock = createManualClock();
  const bus = createInProcessBus();
  const saved: unknown[] = [];
  const asked: string[] = [];
  const taken: string[] = [];
  /** Tasks that the holder has read lately. */
  const fresh = new Set<string>();
  const polls = {
    claim: async (_round, from) => {
      if (from !== undefined) taken.push(from);
      return { holder, tasks: [...fresh].map((id) => ({ id, isWatched: false, isFresh: true })) };
    },
    saveRequests: async (_round, requests) => void saved.push(...requests),
  } as Partial<PollRecords> as PollRecords;
  // Each task is read alone.
  const kinds = { find: () => undefined } as Partial<TaskKinds> as TaskKinds;
  const rounds = createPollRounds(kinds);
  const entry = rounds.open({ owner, credential: '', userId: undefined, forwarded: {} }, buildTask(), {
    intervalMs: 1000,
    dueAt: 0,
  });
  rounds.add(entry);
  bus.subscribe(`polls ${holder}`, (key) => asked.push(key));
  const leases = createPollLeases({
    store: { instanceId: 'this', findTasks: async () => [] },
    polls,
    bus,
    clock,
    rounds,
    isPolled: () => true,
    minIntervalMs: 1000,
    wake: () => {},
    onFailed(error) {
      throw error;
    },
  });
  return { leases, entry, clock, saved, asked, taken, fresh };
}

test('another instance learns once until when a task is followed, and again when that changes', async () => {
  const { leases, entry, saved } = startBeside('other');
  entry.followedUntil = 5000;
  for (let turn = 0; turn < 3; turn += 1) await leases.claim(entry.round);
  expect(saved).toEqual([{ id: 'task_1', isWatched: false, followedUntil: 5000 }]);
  entry.followedUntil = 7000;
  for (let turn = 0; turn < 3; turn += 1) await leases.claim(entry.round);
  expect(saved.slice(1)).toEqual([{ id: 'task_1', isWatched: false, followedUntil: 7000 }]);
});

test('it learns of watchers again every 10 seconds', async () => {
  const { leases, entry, clock, saved } = startBeside('other');
  entry.wakes.add(() => {});
  for (let turn = 0; turn < 3; turn += 1) await leases.claim(entry.round);
  expect(saved).toEqual([{ id: 'task_1', isWatched: true, followedUntil: undefined }]);
  clock.advance(9999);
  await leases.claim(entry.round);
  expect(saved).toHaveLength(1);
  clock.advance(1);
  await leases.claim(entry.round);
  expect(saved).toHaveLength(2);
});

test('a holder that does not read a watched task is asked at once, and replaced after 20 seconds', async () => {
  const { leases, entry, clock, asked, taken, fresh } = startBeside('other');
  const { round, task } = entry;
  await leases.claim(round);
  expect(asked).toEqual([]);
  entry.wakes.add(() => {});
  fresh.add(task.id);
  await leases.claim(round);
  expect(asked).toEqual([]);
  fresh.clear();
  await leases.claim(round);
  expect(asked).toEqual([round.key]);
  clock.advance(19_999);
  await leases.claim(round);
  expect(taken).toEqual([]);
  clock.advance(1);
  await leases.claim(round);
  expect(taken).toEqual(['other']);
});
