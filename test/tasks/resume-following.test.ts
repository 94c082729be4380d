import { expect, test } from 'vitest';
import { type Caller, toHeldOwner } from '../../src/gateway/caller.ts';
import type { Store } from '../../src/store/store.ts';
import { createResumeFollowing } from '../../src/tasks/resume-following.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('the unfinished tasks of owners of the server’s key are looked up again if that fails: no request may come from them', async () => {
  const clock = createManualClock();
  const followed: string[] = [];
  let isAway = true;
  const following = createResumeFollowing({
    store: {
      async findUnfinishedOwners({ after }) {
        if (isAway) throw new Error('the records are away');
        return after === '' ? [toHeldOwner('a')] : [];
      },
      findUnfinishedTasks: async () => [],
    },
    poller: { follow: ({ owner }) => void followed.push(owner) },
    clock,
    followMs: 1000,
    untrackableKinds: [],
    heldKey: { apiKey: 'key' },
    onFailed() {},
  });
  following.resumeHeld();
  await clock.waitForTimer(30_000);
  isAway = false;
  clock.advance(30_000);
  await expect.poll(() => followed).toEqual(['@a']);
  following.close();
});

test('the unfinished tasks are looked up again if the clock was ahead, and is set back', async () => {
  const clock = createManualClock();
  const start = clock.now();
  const looked: (readonly [string, number])[] = [];
  const following = createResumeFollowing({
    store: {
      findUnfinishedOwners: async ({ after, createdAfter }) => {
        if (after === '') looked.push(['all', createdAfter - start]);
        return [];
      },
      async findUnfinishedTasks(owner, { createdAfter }) {
        looked.push([owner, createdAfter - start]);
        return [];
      },
    },
    poller: { follow() {} },
    clock,
    followMs: 1000,
    untrackableKinds: [],
    heldKey: { apiKey: 'key' },
    onFailed() {},
  });
  const caller: Caller = { owner: 'a', credential: 'b', userId: undefined, forwarded: {} };
  clock.step(3_600_000);
  following.resumeHeld();
  following.accepted(caller);
  clock.advance(60_000);
  following.accepted(caller);
  clock.step(-3_600_000);
  clock.advance(60_000);
  await expect.poll(() => looked).toHaveLength(4);
  expect(looked).toEqual([
    ['all', 3_599_000],
    ['a', 3_599_000],
    ['all', 79_000],
    ['a', 79_000],
  ]);
  following.close();
});

test('the unfinished tasks of all owners are followed whom the server’s key serves, page by page, once', async () => {
  const owners = [toHeldOwner('a'), toHeldOwner('c'), toHeldOwner('d'), 'b'];
  const pages: string[] = [];
  const followed: string[] = [];
  const failures: unknown[] = [];
  const store: Pick<Store, 'findUnfinishedTasks' | 'findUnfinishedOwners'> = {
    findUnfinishedOwners: async ({ after }) => {
      pages.push(after);
      // A server that goes on after the last page would do so for ever.
      if (pages.length > 5) throw new Error('too many pages');
      return owners.filter((owner) => owner > after).slice(0, 2);
    },
    findUnfinishedTasks: async () => [],
  };
  const following = createResumeFollowing({
    store,
    poller: { follow: ({ owner, credential }) => void followed.push(`${owner} ${credential}`) },
    clock: createManualClock(),
    followMs: 1000,
    untrackableKinds: [],
    heldKey: { apiKey: 'key' },
    onFailed: (error) => failures.push(error),
  });
  following.resumeHeld();
  await expect.poll(() => pages.at(-1)).toBe('b');
  await new Promise((resolve) => setImmediate(resolve));
  expect(pages).toEqual(['', owners[1], 'b']);
  expect(followed).toEqual(['@a key', '@c key', '@d key']);
  expect(failures).toEqual([]);
});
