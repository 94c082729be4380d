import { expect, test } from 'vitest';
import { toRecordedCaller } from '../../src/gateway/caller.ts';
import { shareReads } from '../../src/tasks/share-reads.ts';
import { buildTask, owner } from '../store/support.ts';
import { iterationsOf } from '../support/iterations.ts';
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

test('a reading from before the clock was set back is not fresh, so a feed reads its task again', () => {
  const { poller, clock } = startSongPoller((task) => task);
  const read = buildTask({ lastReadAt: clock.now() });
  expect(poller.isFresh(read)).toBe(true);
  clock.step(-3_600_000);
  expect(poller.isFresh(read)).toBe(false);
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

test('the credential of one watcher reads the tasks of all watchers of its owner', async () => {
  const { poller, clock, advance } = startSongPoller((task, { credential }) =>
    credential === ''
      ? { ...task, readFailure: { code: 'AUTHENTICATION_FAILED', message: 'There is no credential.' } }
      : { ...task, progress: 0.5 },
  );
  // Its server has died.
  const moved = poller.watch(toRecordedCaller(owner, undefined), [buildTask({ id: 'task_1' })]);
  await moved.next();
  const followed = buildTask({ id: 'task_2' });
  poller.follow({ ...caller, credential: 'key' }, [{ task: followed, createdAt: clock.now() }]);
  const changed = moved.next();
  await advance(2000);
  expect((await changed).value).toMatchObject({ id: 'task_1', progress: 0.5 });
  expect(poller.isFollowed(owner, followed.id)).toBe(true);
  poller.close();
});

test('a read does not share a request without a credential', async () => {
  const reads = shareReads(async ({ credential }, requested) => {
    const found = credential === '' ? new Error('There is no credential.') : buildTask();
    return new Map([...requested.keys()].map((id) => [id, found]));
  });
  const moved = toRecordedCaller(owner, undefined);
  const outcomes = [moved, { ...caller, credential: 'key' }].map((each) => reads.read(each, ['task_1']));
  expect(await Promise.all(outcomes)).toEqual([[expect.any(Error)], [buildTask()]]);
});

test('those that share a read go on in turns', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { read } = shareReads(() => promise.then(() => new Map()));
  const reads = Array.from({ length: 5 }, () => read(caller, ['task_1']));
  expect(await iterationsOf(reads, resolve)).toBe(5);
});
