import { expect, onTestFinished, test } from 'vitest';
import {
  AwaitGenerationDocument,
  CreateSongDocument,
  DeleteGenerationsDocument,
} from '../../src/client/documents.generated.ts';
import type { Store } from '../../src/store/store.ts';
import { startApp } from '../support/app.ts';
import { musicTask, startFakeMusic } from '../support/fake-music.ts';

test('a read that fails before awaitGeneration waits for it fails the query, and nothing else', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  let reads = 0;
  let isAwaiting = false;
  const music = await startFakeMusic({
    answer: (ids) => ({ body: { data: ids.map((id) => musicTask(id)) } }),
  });
  let change = async (): Promise<void> => {};
  const wrapStore = (store: Store): Store => ({
    ...store,
    async findSummaries(owner, ids) {
      const read = isAwaiting ? (reads += 1) : 0;
      const found = await store.findSummaries(owner, ids);
      // The first read selects the generation. The third is that of a change during the second.
      if (read === 2) await change();
      if (read === 3) throw new TypeError('a defect of the test');
      return found;
    },
  });
  await using app = await startApp({ gatewayUrl: music.url, overrides: { wrapStore } });
  const { data } = await app.run(CreateSongDocument, { input: { description: 'x', model: 'SONG_V5' } });
  if (data?.createSong?.__typename !== 'Generation') throw new Error('no song');
  const { id } = data.createSong;
  change = async () => {
    await app.run(DeleteGenerationsDocument, { ids: [id] });
  };
  isAwaiting = true;
  const { errors } = await app.run(AwaitGenerationDocument, { by: { id }, timeoutSeconds: 300 });
  expect(reads).toBe(3);
  expect(errors).toHaveLength(1);
  expect(unhandled).toEqual([]);
});
