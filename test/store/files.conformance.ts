import { expect, test } from 'vitest';
import type { FileRecords } from '../../src/store/file-records.ts';
import type { Generation, Task } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import { buildCreation, buildGeneration, buildTask, owner } from './support.ts';

/** A generation that has ended with files that are not recorded yet. */
async function recordDue(store: Store, task?: Task): Promise<Generation> {
  const generation = buildGeneration();
  const creation = buildCreation(generation.id, { key: undefined });
  await store.claim(creation, generation);
  await store.settle(creation.id, {
    phase: 'SETTLED',
    generation: { status: 'SUCCEEDED', finishedAt: 5, filesDueAt: 5, output: { type: 'x' } },
    ...(task && { task: { ...task, generationId: generation.id } }),
  });
  return generation;
}

async function findDue(files: FileRecords) {
  const [due, ...others] = await files.findDue(10, 5);
  if (!due || others.length > 0) throw new Error('not one generation is due');
  return due;
}

export function fileConformance(backend: Backend): void {
  const open = async (clock = createManualClock()) => (await backend.createLocation()).open({ clock });

  test('files that could not be recorded for a minute are pending', async () => {
    const clock = createManualClock(60_005);
    const store = await open(clock);
    const files = await store.openFiles();
    await recordDue(store);
    expect(await files.measurePending()).toEqual({ count: 0, ageMs: 0 });
    clock.advance(1);
    expect(await files.measurePending()).toEqual({ count: 1, ageMs: 60_001 });
    await files.plan(await findDue(files), [{ position: 0 }, { position: 1 }]);
    clock.advance(5);
    await recordDue(store);
    // The oldest of both.
    expect(await files.measurePending()).toEqual({ count: 3, ageMs: 60_006 });
  });

  test('a file has content from its commit on', async () => {
    const store = await open();
    const files = await store.openFiles();
    const { id } = await recordDue(store);
    expect(await files.find(owner, [id])).toEqual([{ files: [], isDue: true }]);
    await files.plan(await findDue(files), [{ position: 0, sourceUrl: 'https://a.example/b' }]);
    const [found] = await files.find(owner, [id]);
    expect(found).toMatchObject({ isDue: false, files: [{ state: 'PENDING', stored: undefined }] });
    expect(await files.measurePending()).toEqual({ count: 1, ageMs: expect.any(Number) });
    const selection = { limit: 5, active: new Set<string>() };
    expect(await files.claim(1e15, { ...selection, except: ['https://a.example/', 'b'] })).toEqual([]);
    const [file] = await files.claim(1e15, { ...selection, except: ['https://b.example/'] });
    if (!file) throw new Error('there is no file to copy');
    expect(await files.findStored(file.id)).toBeUndefined();
    const limits = { maxBytesPerOwner: 10, maxTotalBytes: 10 };
    const content = { hash: 'h', contentType: 'image/png', sizeBytes: 4 };
    await files.commit(file, { ...content, isWritten: true, now: 6, limits });
    const stored = { key: file.id, ...content };
    expect(await files.findStored(file.id)).toEqual(stored);
    expect(await files.measurePending()).toEqual({ count: 0, ageMs: 0 });
    expect(await files.find(owner, [id])).toMatchObject([{ files: [{ state: 'STORED', stored }] }]);
  });

  test('ids that no generation can have, and no ids, have no files', async () => {
    const files = await (await open()).openFiles();
    expect(await files.find(owner, ['\u0000', "'"])).toEqual([
      { files: [], isDue: false },
      { files: [], isDue: false },
    ]);
    expect(await files.find(owner, [])).toEqual([]);
  });

  test('a task whose output was moved into files is read without it', async () => {
    const store = await open();
    const files = await store.openFiles();
    const task = buildTask({ status: 'SUCCEEDED', raw: { image: 'inline' } });
    await recordDue(store, task);
    const [recorded] = await store.findTasks(owner, [task.id]);
    const [bytes] = await store.measureTasks(owner, [task.id]);
    if (!recorded) throw new Error('the task is not recorded');
    const moved = { ...recorded, raw: { image: 'moved' } };
    await files.plan(await findDue(files), [], {
      output: { type: 'x' },
      outputBytes: undefined,
      task: { record: moved, bytes },
    });
    expect(await store.findTasks(owner, [task.id])).toEqual([moved]);
  });

  test('uploads that are created together do not exceed the limits of their owner', async () => {
    const files = await (await open()).openFiles();
    const create = (id: string) => {
      const upload = { id, owner, contentType: 'image/png', sizeBytes: 4, createdAt: 1, expiresAt: 1e15 };
      return files.createUpload(upload, { maxUploads: 5, maxDeclaredBytes: 12 });
    };
    const created = await Promise.all(
      Array.from({ length: 20 }, (_each, index) => create(`upload_${index}`)),
    );
    expect(created.filter(Boolean)).toHaveLength(3);
  });
}
