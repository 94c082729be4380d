import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createCopier } from '../../src/files/copier.ts';
import { createDeletions } from '../../src/files/delete-released.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { openIncoming } from '../../src/files/incoming.ts';
import { createPlanFiles } from '../../src/files/plan-files.ts';
import { createSignedPaths } from '../../src/files/signed-paths.ts';
import { dayMs } from '../../src/lib/time.ts';
import { createUnknownOwners } from '../../src/files/unknown-owners.ts';
import { createUploads, type UploadsOptions } from '../../src/files/uploads.ts';
import { uncheckedKeyOf } from '../../src/store/file-records.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createFolder } from '../support/files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { pngOf } from '../support/png.ts';
import { owner, record } from '../store/support.ts';

/** A store of objects in memory. */
function createObjects() {
  const objects = new Map<string, Buffer>();
  const fileStore = {
    put: async (key: string, path: string) => void objects.set(key, await readFile(path)),
    open: async (key: string) => {
      const bytes = objects.get(key);
      return bytes && Readable.from([bytes]);
    },
    delete: async (key: string) => void objects.delete(key),
    presignUpload: async (key: string) => `https://s3.example/${key}`,
  } satisfies Partial<FileStore>;
  return { objects, fileStore };
}

/** Uploads of the owner `ada`, who may keep 4000 bytes. */
async function startUploads(change: Partial<UploadsOptions> = {}) {
  const clock = createManualClock();
  const store = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => store.close());
  const records = await store.openFiles();
  const folder = await createFolder();
  const { objects, fileStore } = createObjects();
  const options: UploadsOptions = {
    records,
    fileStore,
    clock,
    limits: { maxBytes: 5000, maxBytesPerOwner: 4000, maxTotalBytes: 100_000 },
    removesOldest: false,
    sharesStoreAddresses: false,
    addressMs: 3_600_000,
    paths: createSignedPaths(await store.secret(), 3_600_000),
    url: () => '',
    pathOf: (name) => join(folder, name),
    active: new Set(),
    reserve: async () => () => {},
    mayPrepare: async () => true,
    mayDeclare: async () => true,
    ...change,
  };
  const uploads = createUploads(options);
  return {
    ...uploads,
    records,
    objects,
    fileStore,
    options,
    async create(sizeBytes: number): Promise<{ readonly id: string; readonly url: string }> {
      const created = await uploads.createUpload('ada', { contentType: 'image/png', sizeBytes });
      if (!('id' in created)) throw new Error(created.message);
      return created;
    },
    send: (url: string, bytes: Buffer) => uploads.receive(url, Readable.from([bytes]), bytes.length),
  };
}

test('a file for which there is no room is not left in the store', async () => {
  const { create, send, objects } = await startUploads();
  const [first, second] = [await create(3000), await create(3000)];
  expect(await send(first.url, pngOf('1', 3000))).toBe('STORED');
  expect(await send(second.url, pngOf('2', 3000))).toBe('NO_ROOM');
  expect([...objects.keys()]).toEqual([first.id]);
});

test('owners who have made nothing prepare as many uploads together as an hour has, others as many as they like', async () => {
  const clock = createManualClock();
  const limits = { maxBytes: 1, maxBytesPerOwner: 1, maxTotalBytes: 1 };
  const { mayPrepare } = createUnknownOwners({
    store: { hasGenerations: async (by) => by === 'ada' },
    limits,
    clock,
  });
  const { create, createUpload } = await startUploads({ mayPrepare });
  expect(await mayPrepare('any text', 10_000)).toBe(true);
  const declared = { contentType: 'image/png', sizeBytes: 1 };
  await expect(createUpload('another text', declared)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await create(1);
  clock.advance(360);
  expect(await createUpload('another text', declared)).toMatchObject({ id: expect.any(String) });
});

test('an upload can be sent again after a failure that could not be recorded', async () => {
  const { create, send, records, options } = await startUploads();
  const { id, url } = await create(3000);
  const failing = createUploads({
    ...options,
    records: { ...records, postpone: () => Promise.reject(new Error('no database')) },
  });
  await expect(failing.receive(url, Readable.from([pngOf('1', 2000)]), 3000)).rejects.toThrow('no database');
  expect(await send(url, pngOf('1', 3000))).toBe('STORED');
  expect(await records.findUsable('ada', id)).toMatchObject({ state: 'STORED' });
});

test('generations whose output cannot be read keep no others from being copied, also one that ended while the clock was ahead', async () => {
  const store = await createSqliteStore({ directory: ':memory:', clock: createManualClock() });
  onTestFinished(() => store.close());
  const records = await store.openFiles();
  const recordDue = async (dueAt: number): Promise<string> => {
    const { id } = await record(store, { finishedAt: undefined, status: 'RUNNING' });
    const end = { status: 'SUCCEEDED', finishedAt: dueAt, output: { type: 'x' } } as const;
    await store.endGeneration(id, { ...end, filesDueAt: dueAt });
    return id;
  };
  // More than are read together.
  const unreadable = await Promise.all(Array.from({ length: 101 }, () => recordDue(5)));
  const [readable, ahead] = [await recordDue(6), await recordDue(dayMs)];
  const { planAll } = createPlanFiles({
    store: {
      ...store,
      findContents: async (of, refs) => {
        if (refs.some(({ id }) => unreadable.includes(id))) throw new Error('not JSON');
        return store.findContents(of, refs);
      },
    },
    records,
    assetsOf: () => [{ kind: 'IMAGE', url: 'https://a.example/b' }],
  });
  await expect(planAll(10, () => false)).rejects.toThrow('not JSON');
  const planned = { isDue: false, files: [{ state: 'PENDING' }] };
  const due = { isDue: true };
  const [first = ''] = unreadable;
  expect(await records.find(owner, [first, readable, ahead])).toMatchObject([due, planned, planned]);
});

test('an upload is received although another instance has removed the folder of this one', async () => {
  const folder = await createFolder();
  const server = (instanceId: string) => ({
    instanceId,
    // This one has lost the database for a while.
    sharing: { isAlive: async () => false } as Partial<NonNullable<Store['sharing']>>,
  });
  const own = await openIncoming(folder, server('instance_1') as Store);
  const { create, send } = await startUploads({ pathOf: (name) => join(own, name) });
  await openIncoming(folder, server('instance_2') as Store);
  const { url } = await create(3000);
  expect(await send(url, pngOf('1', 3000))).toBe('STORED');
});

test('a folder that cannot be created is named with the reason', async () => {
  const opened = openIncoming('/proc/files', { instanceId: 'instance_1', sharing: undefined });
  await expect(opened).rejects.toThrow('/proc/files: files and directories cannot be created in /proc');
});

test('an upload is received once, although two requests bring it', async () => {
  const { create, send, records } = await startUploads();
  const { id, url } = await create(3000);
  const outcomes = await Promise.all([send(url, pngOf('1', 3000)), send(url, pngOf('2', 3000))]);
  expect(outcomes.toSorted()).toEqual(['STORED', 'UNKNOWN']);
  expect(await records.findUsable('ada', id)).toMatchObject({ state: 'STORED' });
});

test('an upload in the store is checked again after the store was away', async () => {
  const { objects, fileStore } = createObjects();
  let isAway = true;
  const { create, adopt } = await startUploads({
    sharesStoreAddresses: true,
    fileStore: {
      ...fileStore,
      open: (key) => (isAway ? Promise.reject(new Error('the store is away')) : fileStore.open(key)),
    },
  });
  const { id } = await create(3000);
  objects.set(uncheckedKeyOf(id), pngOf('1', 3000));
  await expect(adopt(id)).rejects.toThrow('the store is away');
  isAway = false;
  expect(await adopt(id)).toBe('STORED');
});

test('an upload in the store is not held open if this server cannot receive it', async () => {
  const body = Readable.from([pngOf('1', 3000)]);
  const { create, adopt } = await startUploads({
    sharesStoreAddresses: true,
    fileStore: { ...createObjects().fileStore, open: async () => body },
    pathOf: () => '/dev/null/file',
  });
  const { id } = await create(3000);
  await expect(adopt(id)).rejects.toThrow('cannot be written');
  expect(body.destroyed).toBe(true);
});

test('objects that the store does not delete keep no other ones', async () => {
  // More than are deleted together.
  const locked = Array.from({ length: 101 }, (_none, index) => `file_${index}`);
  const noted = new Set([...locked, 'file_a', 'file_b']);
  const deleted: string[] = [];
  const deleteReleased = createDeletions({
    records: {
      findDeletions: async (limit, skipped) => [...noted].slice(skipped, skipped + limit),
      release: async (found) => found,
      finishDeletions: async (done) => done.forEach((key) => noted.delete(key)),
    },
    fileStore: {
      async delete(key) {
        if (locked.includes(key)) throw new Error('the object is locked');
        deleted.push(key);
      },
    },
    isActive: () => false,
    isClosed: () => false,
  });
  const expectFailure = () => expect(deleteReleased()).rejects.toThrow('the object is locked');
  await expectFailure();
  await expectFailure();
  expect(deleted).toEqual(['file_a', 'file_b']);
  expect([...noted]).toEqual(locked);
  // They are tried again.
  locked.length = 0;
  await deleteReleased();
  expect([...noted]).toEqual([]);
});

test('a failed copy that cannot be recorded is not repeated at once', async () => {
  const clock = createManualClock();
  const away = async (): Promise<never> => {
    throw new Error('away');
  };
  let copies = 0;
  const copier = createCopier({
    records: {
      async claim(_now, { active }) {
        const file = { id: 'f', owner, generationId: 'g', position: 0, attempts: copies, createdAt: 0 };
        return active.has('f') ? [] : [{ ...file, sourceUrl: 'https://provider.example/a.png' }];
      },
      postpone: away,
      fail: away,
    },
    copy() {
      copies += 1;
      return away();
    },
    pathOf: (name) => join('/nonexistent', name),
    onSettled() {},
    maxCopies: 4,
    clock,
    random: () => 0,
    metrics: undefined,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => copier.close());
  await copier.run();
  for (const count of [1, 2, 3]) {
    await clock.waitForTimer(2000);
    await copier.run();
    expect(copies).toBe(count);
    clock.advance(2000);
  }
});
