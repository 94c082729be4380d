import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CreateImageDocument,
  DeleteConversationDocument,
  GenerationDocument,
} from '../../../src/client/documents.generated.ts';
import type { GenerationSummary } from '../../../src/store/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { continueRecord } from '../../store/threads.conformance.ts';
import { type Api, type Caller, sandboxKey, startApp, type TestAppOptions } from '../../support/app.ts';
import { chatId, sendChat, startTurn } from '../../support/conversations.ts';
import { readList } from '../../support/feed-client.ts';
import { createRecords, engines } from '../../support/records.ts';
import { startScripted } from '../../support/scripted-gateway.ts';

const otherCaller = { headers: { ...sandboxKey, 'x-end-user': 'ann' } };

async function start(options?: TestAppOptions) {
  const app = await startApp(options);
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

async function remove(api: Api, id: string, caller?: Caller) {
  const { data, errors } = await api.run(DeleteConversationDocument, { id }, caller);
  if (!data || errors) throw new Error(JSON.stringify(errors));
  const { deletedIds, ...result } = data.deleteConversation ?? {};
  return { deletedIds: deletedIds?.toSorted(), ...result };
}

const listed = async (api: Api): Promise<readonly string[]> => [...(await readList(api)).listed.keys()];

describe.each(engines)('%s: `deleteConversation`', (engine) => {
  test('deletes all branches, by the id of any turn, and nothing else', async () => {
    const records = await createRecords(engine);
    const app = await start({ env: { ...records.env } });
    const other = await chatId(app);
    const first = await chatId(app);
    const left = await chatId(app, { continueFrom: first });
    const right = await chatId(app, { continueFrom: first });
    const newest = await chatId(app, { continueFrom: left });
    expect(await remove(app, left, otherCaller)).toEqual({
      deletedIds: [],
      skipped: [{ id: left, reason: 'NOT_FOUND' }],
    });
    expect(await remove(app, left)).toEqual({
      deletedIds: [newest, right, left, first].toSorted(),
      skipped: [],
    });
    expect(await listed(app)).toEqual([other]);
    expect(await remove(app, left)).toMatchObject({ skipped: [{ id: left, reason: 'NOT_FOUND' }] });
    expect(await sendChat(app, { continueFrom: newest })).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('deletes nothing while a turn runs', async () => {
    const records = await createRecords(engine);
    await using server = await startScripted({ env: { ...records.env } });
    const { app } = server;
    const { first, running } = await startTurn(server);
    expect(await remove(app, first)).toEqual({
      deletedIds: [],
      skipped: [{ id: running, reason: 'RUNNING' }],
    });
    expect((await listed(app)).toSorted()).toEqual([first, running].toSorted());
  });

  test('deletes the turns that a deleted first turn has left', async () => {
    const records = await createRecords(engine);
    const app = await start({ env: { ...records.env } });
    const first = await chatId(app);
    const second = await chatId(app, { continueFrom: first });
    const third = await chatId(app, { continueFrom: second });
    await app.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', {
      ids: [first],
    });
    expect(await remove(app, second)).toEqual({ deletedIds: [third, second].toSorted(), skipped: [] });
    expect(await listed(app)).toEqual([]);
  });
});

test('one call of `deleteConversation` deletes 1,000 turns, the newest, and names one that is left', async () => {
  const stores: Store[] = [];
  const found: GenerationSummary[] = [];
  const wrapStore = (store: Store): Store => {
    stores.push(store);
    return {
      ...store,
      async findSummaries(...args) {
        const generations = await store.findSummaries(...args);
        found.push(...generations.flatMap((generation) => generation ?? []));
        return generations;
      },
    };
  };
  const app = await start({ overrides: { wrapStore } });
  const id = await chatId(app);
  await app.run(GenerationDocument, { by: { id } });
  const [store] = stores;
  const [first] = found;
  if (!store || !first) throw new Error('the first turn was not read');
  const later = await Promise.all(
    Array.from({ length: 1001 }, (_, index) =>
      continueRecord(store, first, { owner: first.owner, createdAt: first.createdAt + 1 + index }),
    ),
  );
  const left = later[0]?.id ?? '';
  expect(await remove(app, id)).toEqual({
    deletedIds: later
      .slice(1)
      .map((turn) => turn.id)
      .toSorted(),
    skipped: [{ id: left, reason: 'MORE_TURNS' }],
  });
  expect(await remove(app, left)).toEqual({ deletedIds: [left, id].toSorted(), skipped: [] });
  expect(await listed(app)).toEqual([]);
});

test('`deleteConversation` deletes a generation of another kind alone', async () => {
  const app = await start();
  await chatId(app);
  const { data } = await app.run(CreateImageDocument, {
    input: { byResolution: { model: 'm', prompt: 'x' } },
  });
  const image = data?.createImage;
  if (image?.__typename !== 'Generation') throw new Error('no image was created');
  expect(await remove(app, image.id)).toEqual({ deletedIds: [image.id], skipped: [] });
  expect(await listed(app)).toHaveLength(1);
});
