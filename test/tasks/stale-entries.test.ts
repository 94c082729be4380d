import { expect, test } from 'vitest';
import { buildTask, owner } from '../store/support.ts';
import { startSongPoller } from '../support/song-poller.ts';

const caller = { owner, credential: '', userId: undefined, forwarded: {} };

test('a watcher of an end that was only presumed does not end the watch of the task that goes on', async () => {
  const { poller, advance } = startSongPoller((task) => ({ ...task, progress: 0.5 }));
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
  const { poller, clock, saved, advance } = startSongPoller((task) => ({
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
  const { poller, advance } = startSongPoller((task) => ({
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
