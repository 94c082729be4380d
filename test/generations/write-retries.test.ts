import { expect, test } from 'vitest';
import { createWriteRetries } from '../../src/generations/write-retries.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a close tries every pending write once more, also those after one that fails', async () => {
  const tried: string[] = [];
  const failed: string[] = [];
  const retries = createWriteRetries({
    clock: createManualClock(),
    onFailed: (_error, what) => failed.push(what),
  });
  retries.add('a write that always fails', async () => {
    tried.push('first');
    throw new Error('no');
  });
  retries.add('the end of a stream', async () => tried.push('second'));
  await retries.close();
  expect({ tried, failed }).toEqual({ tried: ['first', 'second'], failed: ['a write that always fails'] });
});

test('the end of a stream waits for no write that can wait', async () => {
  const clock = createManualClock();
  const retries = createWriteRetries({ clock, onFailed: () => {} });
  const isReleasing = Promise.withResolvers<void>();
  const mayRelease = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  retries.add(
    'the release of a key',
    () => {
      isReleasing.resolve();
      return mayRelease.promise;
    },
    { canWait: true },
  );
  clock.advance(500);
  await isReleasing.promise;
  retries.add('the end of a stream', async () => ended.resolve());
  clock.advance(500);
  await ended.promise;
  expect(retries.pending).toBe(0);
  mayRelease.resolve();
  await retries.close();
});
