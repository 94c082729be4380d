import { expect, test } from 'vitest';
import type { PollLeases } from '../../src/tasks/poll-leases.ts';
import { createPollRounds, type PollEntry } from '../../src/tasks/poll-rounds.ts';
import { createPollSchedule } from '../../src/tasks/poll-schedule.ts';
import type { TaskKinds } from '../../src/tasks/task-kinds.ts';
import { buildTask, owner } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** A schedule of watched songs, which one request reads. Each is due again an hour after its read. */
function startSchedule(leases?: PollLeases) {
  const clock = createManualClock();
  const reads: string[][] = [];
  const kinds = { find: () => ({ batch: 'songs' }) } as Partial<TaskKinds> as TaskKinds;
  const rounds = createPollRounds(kinds);
  const schedule = createPollSchedule({
    tasks: {
      find: async (_owner, ids) => ids.map((id) => buildTask({ id })),
      async readAgain(_caller, tasks) {
        reads.push(tasks.map(({ id }) => id));
        return tasks.map(({ id }) => buildTask({ id }));
      },
    },
    rounds,
    leases,
    clock,
    settle: (entry) => void (entry.dueAt = clock.elapsed() + 3_600_000),
  });
  const caller = { owner, credential: '', userId: undefined, forwarded: {} };
  const add = (id: string, dueAt: number): PollEntry => {
    const entry = rounds.open(caller, buildTask({ id }), { intervalMs: 1000, dueAt });
    entry.wakes.add(() => {});
    rounds.add(entry);
    schedule.schedule(entry.round);
    return entry;
  };
  const advance = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...schedule, add, advance, reads };
}

test('songs that are due within half an interval are read with the first one', async () => {
  const { add, advance, reads } = startSchedule();
  add('a', 1000);
  add('b', 1500);
  add('c', 1501);
  await advance(999);
  expect(reads).toEqual([]);
  await advance(1);
  expect(reads).toEqual([['a', 'b']]);
  await advance(501);
  expect(reads).toEqual([['a', 'b'], ['c']]);
});

test('a round that another instance asks for is claimed at once, and reads what is due', async () => {
  let claims = 0;
  const leases = {
    async claim() {
      claims += 1;
      return { isReader: true, tasks: undefined };
    },
    report: async () => {},
  } as Partial<PollLeases> as PollLeases;
  const { add, advance, wake, reads } = startSchedule(leases);
  const { round } = add('a', 10_000);
  await advance(1000);
  expect(claims).toBe(0);
  wake(round);
  await advance(0);
  expect(claims).toBe(1);
  expect(reads).toEqual([]);
  await advance(9000);
  expect([claims, reads]).toEqual([2, [['a']]]);
});
