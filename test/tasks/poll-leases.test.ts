import { expect, test } from 'vitest';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import { toRecordedCaller } from '../../src/gateway/caller.ts';
import type { PollRecords } from '../../src/store/poll-records.ts';
import { isTerminal, type Task } from '../../src/store/records.ts';
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
  const released: string[] = [];
  const ended: string[] = [];
  /** The records of tasks, and the ids that were read. */
  const records: Task[] = [];
  const read: string[] = [];
  /** Tasks that the holder has read lately. */
  const fresh = new Set<string>();
  const polls = {
    find: async () => (holder === 'this' ? undefined : { holder, tasks: [] }),
    release: async ({ round }) => void released.push(round),
    claim: async (_round, from) => {
      if (from !== undefined) taken.push(from);
      return { holder, tasks: [...fresh].map((id) => ({ id, isWatched: false, isFresh: true })) };
    },
    endFollowing: async (_owner, ids) => void ended.push(...ids),
    saveReadings: async (_round, readings) => void ended.push(...readings.map(({ id }) => id)),
    saveRequests: async (_round, requests) => void saved.push(...requests),
  } as Partial<PollRecords> as PollRecords;
  // Each task is read alone.
  const kinds = { find: () => undefined } as Partial<TaskKinds> as TaskKinds;
  const rounds = createPollRounds(kinds);
  const entry = rounds.open({ owner, credential: 'key', userId: undefined, forwarded: {} }, buildTask(), {
    intervalMs: 1000,
    dueAt: 0,
  });
  rounds.add(entry);
  bus.subscribe(`polls ${holder}`, (key) => asked.push(key));
  const leases = createPollLeases({
    store: {
      instanceId: 'this',
      async findTasks(_owner, ids) {
        read.push(...ids);
        return ids.map((id) => records.find((task) => task.id === id));
      },
    },
    polls,
    bus,
    clock,
    rounds,
    isPolled: ({ kind, status }) => kind === 'SONG' && !isTerminal(status),
    minIntervalMs: 1000,
    wake: () => {},
    onFailed(error) {
      throw error;
    },
  });
  return { leases, rounds, entry, clock, saved, asked, taken, released, ended, fresh, records, read };
}

test('another instance learns once until when a task is followed, and again when that changes', async () => {
  const { leases, entry, saved, clock } = startBeside('other');
  // Instances share no monotonic clock.
  const now = clock.now();
  entry.followedUntil = 5000;
  for (let turn = 0; turn < 3; turn += 1) await leases.claim(entry.round);
  expect(saved).toEqual([{ id: 'task_1', isWatched: false, followedUntil: now + 5000 }]);
  entry.followedUntil = 7000;
  for (let turn = 0; turn < 3; turn += 1) await leases.claim(entry.round);
  expect(saved.slice(1)).toEqual([{ id: 'task_1', isWatched: false, followedUntil: now + 7000 }]);
});

test('only the holder of a lease counts the watchers of others', async () => {
  const { leases, entry } = startBeside('other');
  entry.isWatchedElsewhere = true;
  await leases.claim(entry.round);
  expect(entry.isWatchedElsewhere).toBe(false);
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

test('an instance that takes over a lease reads watched tasks at once, and a holder reads them when they are due', async () => {
  const { leases, entry } = startBeside('this');
  const { round } = entry;
  entry.wakes.add(() => {});
  entry.dueAt = 5000;
  for (let turn = 0; turn < 2; turn += 1) {
    await leases.claim(round);
    expect(entry.dueAt).toBe(5000);
  }
  round.holder = 'other';
  await leases.claim(round);
  expect(entry.dueAt).toBe(0);
});

test('an instance without a credential holds no lease: another one reads, or nobody does', async () => {
  const beside = startBeside('other');
  beside.entry.caller = toRecordedCaller(owner, undefined);
  beside.entry.wakes.add(() => {});
  expect(await beside.leases.claim(beside.entry.round)).toEqual({ isReader: false, tasks: [] });
  expect(beside.saved).toMatchObject([{ id: 'task_1', isWatched: true }]);
  const alone = startBeside('this');
  await alone.leases.claim(alone.entry.round);
  alone.entry.caller = toRecordedCaller(owner, undefined);
  expect(await alone.leases.claim(alone.entry.round)).toEqual({ isReader: true, tasks: undefined });
  expect(alone.released).toEqual(['task_1']);
});

test('only the holder ends what all know of a followed task', async () => {
  const beside = startBeside('other');
  await beside.leases.claim(beside.entry.round);
  beside.leases.endFollowing(beside.entry);
  expect(beside.ended).toEqual([]);
  const holding = startBeside('this');
  await holding.leases.claim(holding.entry.round);
  holding.leases.endFollowing(holding.entry);
  expect(holding.ended).toEqual(['task_1']);
});

test('the holder adopts tasks that others want, unless they have ended, are unknown or are not polled', async () => {
  const { leases, rounds, entry, records, read, ended } = startBeside('this');
  const { round } = entry;
  await leases.claim(round);
  entry.wakes.add(() => {});
  records.push(
    buildTask({ id: 'task_2', status: 'RUNNING' }),
    buildTask({ id: 'task_ended', status: 'SUCCEEDED' }),
    buildTask({ id: 'task_image', kind: 'IMAGE' }),
  );
  const wanted = ['task_1', 'task_2', 'task_ended', 'task_image', 'task_unknown', 'task_unwanted'];
  await leases.adopt(
    round,
    wanted.map((id) => ({ id, isWatched: id !== 'task_unwanted', isFresh: false })),
  );
  // Each task is a round of its own here.
  const adopted = [...rounds.all()].flatMap(({ entries }) => [...entries.keys()]);
  expect(adopted).toEqual(['task_1', 'task_2']);
  expect(read).toEqual(['task_2', 'task_ended', 'task_image', 'task_unknown']);
  expect(ended).toEqual(['task_ended']);
});
