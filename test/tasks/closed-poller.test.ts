import { expect, test } from 'vitest';
import { buildTask, owner } from '../store/support.ts';
import { startSongPoller } from '../support/song-poller.ts';

test('a poller follows a task until it is closed, and takes no other one then', () => {
  const { poller, clock } = startSongPoller((task) => task);
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
