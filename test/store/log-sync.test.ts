import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogSync } from '../../src/store/sqlite/log-sync.ts';
import { createDirectory } from '../support/durable-server.ts';

async function open(log: 'file' | 'unsyncable') {
  const path = join(await createDirectory(), 'test.db');
  await (log === 'file' ? writeFile(`${path}-wal`, '') : symlink('/dev/null', `${path}-wal`));
  let restarts = 0;
  let fault: Error | undefined;
  const sync = await createLogSync(path, async () => {
    restarts += 1;
    if (fault) throw fault;
  });
  onTestFinished(() => sync.close());
  return {
    sync,
    restarts: () => restarts,
    failRestarts(error: Error) {
      fault = error;
    },
  };
}

test('calls of one turn share a sync, and a later one waits for the next', async () => {
  const { sync } = await open('file');
  const [first, second] = [sync.sync(), sync.sync()];
  expect(second).toBe(first);
  // The sync begins after this turn.
  await new Promise((resolve) => process.nextTick(resolve));
  const third = sync.sync();
  expect(third).not.toBe(first);
  let isIdle = false;
  const idle = sync.waitUntilIdle().then(() => (isIdle = true));
  await first;
  expect(isIdle).toBe(false);
  await third;
  await idle;
});

test('after a sync that failed, the log starts again before a sync counts', async () => {
  const { sync, restarts, failRestarts } = await open('unsyncable');
  const fault = { name: 'RecordsUnavailableError', isDiskFault: true };
  await expect(sync.sync()).rejects.toMatchObject(fault);
  expect(restarts()).toBe(0);
  await sync.sync();
  expect(restarts()).toBe(1);
  await expect(sync.sync()).rejects.toMatchObject(fault);
  failRestarts(new Error('readers use the log'));
  await expect(sync.sync()).rejects.toMatchObject(fault);
  await expect(sync.sync()).rejects.toMatchObject(fault);
  expect(restarts()).toBe(3);
});
