import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ConversationsDocument,
  CreateImageDocument,
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  type GenerationFilter,
  GenerationsDocument,
} from '../../../src/client/documents.generated.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  type Api,
  type Caller,
  sandboxKey,
  startApp,
  subscribe,
  type TestAppOptions,
} from '../../support/app.ts';
import { chatId, readConversation, sendChat, startTurn, userMessage } from '../../support/conversations.ts';
import { readList } from '../../support/feed-client.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createRecords, engines } from '../../support/records.ts';
import { startScripted } from '../../support/scripted-gateway.ts';

const otherCaller = { headers: { ...sandboxKey, 'x-end-user': 'ann' } };

/** Each first turn of a page with its newest turn. */
async function readConversations(
  api: Api,
  filter: GenerationFilter = {},
  caller?: Caller,
): Promise<readonly (readonly (string | undefined)[])[]> {
  const { data, errors } = await api.run(
    ConversationsDocument,
    { filter: { ...filter, onlyFirstTurns: true } },
    caller,
  );
  if (!data?.generations || errors) throw new Error(JSON.stringify(errors));
  const { edges, totalCount } = data.generations;
  const shown = edges.map(({ node }) => [node.id, node.newestTurn?.id, node.newestTurn?.status]);
  expect(totalCount).toBe(shown.length);
  return shown;
}

async function remove(api: Api, ...ids: readonly string[]): Promise<void> {
  const { data } = await api.run(DeleteGenerationsDocument, { ids: [...ids] });
  expect(data?.deleteGenerations?.deletedIds).toEqual(ids);
}

async function createImage(api: Api): Promise<void> {
  const { data } = await api.run(CreateImageDocument, {
    input: { byResolution: { model: 'm', prompt: 'x' } },
  });
  expect(data?.createImage).toMatchObject({ __typename: 'Generation' });
}

async function start(options?: TestAppOptions) {
  const app = await startApp(options);
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

describe.each(engines)('%s: a list of conversations', (engine) => {
  test('has the first turns of one caller, each with the newest turn of its branches, read together', async () => {
    const records = await createRecords(engine);
    const reads: unknown[] = [];
    const wrapStore = (store: Store): Store => ({
      ...store,
      findNewestTurns(owner, ids) {
        reads.push(ids);
        return store.findNewestTurns(owner, ids);
      },
    });
    const app = await start({ env: { ...records.env }, overrides: { wrapStore } });
    const trip = await chatId(app, {}, { collection: 'trip' });
    const single = await chatId(app);
    const left = await chatId(app, { continueFrom: trip });
    const right = await chatId(app, { continueFrom: trip });
    const newest = await chatId(app, { continueFrom: left });
    const foreign = await chatId(app, {}, otherCaller);
    const theirs = await chatId(app, { continueFrom: foreign }, otherCaller);
    await createImage(app);
    const inTrip = [trip, newest, 'SUCCEEDED'];
    expect(await readConversations(app)).toEqual([[single, single, 'SUCCEEDED'], inTrip]);
    expect(reads).toEqual([[single, trip]]);
    expect(await readConversations(app, { collection: 'trip' })).toEqual([inTrip]);
    expect(await readConversations(app, {}, otherCaller)).toEqual([[foreign, theirs, 'SUCCEEDED']]);
    await remove(app, newest);
    expect(await readConversations(app, { collection: 'trip' })).toEqual([[trip, right, 'SUCCEEDED']]);
  });

  test('shows a newest turn that runs', async () => {
    const records = await createRecords(engine);
    await using server = await startScripted({ env: { ...records.env } });
    const { app } = server;
    const { first, running } = await startTurn(server);
    expect(await readConversations(app)).toEqual([[first, running, 'RUNNING']]);
  });

  test('lacks a conversation whose first turn was deleted; its other turns stay', async () => {
    const records = await createRecords(engine);
    const app = await start({ env: { ...records.env } });
    const first = await chatId(app);
    const second = await chatId(app, { continueFrom: first });
    const third = await chatId(app, { continueFrom: second });
    const read = async () => {
      const text = 'query ($id: ID!) { generation(by: { id: $id }) { firstTurn { id } newestTurn { id } } }';
      return (await app.run<object, object>(text, { id: second })).data;
    };
    expect(await read()).toEqual({ generation: { firstTurn: { id: first }, newestTurn: { id: third } } });
    await remove(app, first);
    expect(await readConversations(app)).toEqual([]);
    expect(await read()).toEqual({ generation: { firstTurn: null, newestTurn: { id: third } } });
    expect((await readList(app)).listed.size).toBe(2);
    expect(await readConversation(app, third)).toMatchObject({ canContinue: false });
  });
});

test('a turn is newer than the one that it continues, although the clock of its server is behind', async () => {
  const { env } = await createRecords('PostgreSQL');
  const app = await start({ env: { ...env } });
  const behind = await start({
    env: { ...env },
    overrides: { clock: createManualClock(Date.now() - 300_000) },
  });
  const first = await chatId(app);
  const second = await chatId(app, { continueFrom: first });
  const third = await chatId(behind, { continueFrom: second });
  expect(await readConversations(app)).toEqual([[first, third, 'SUCCEEDED']]);
});

test('each field of a mutation shows the conversation after its own change', async () => {
  const app = await start();
  const first = await chatId(app);
  const { data } = await app.run<Readonly<Record<string, { readonly id: string }>>, object>(
    `mutation ($input: ChatInput!, $ids: [ID!]!) {
      one: createChatCompletion(input: $input, idempotencyKey: "one") { ...Shown }
      two: createChatCompletion(input: $input) { ...Shown }
      deleteGenerations(ids: $ids) { deletedIds }
      oneAgain: createChatCompletion(input: $input, idempotencyKey: "one") { ...Shown }
    }
    fragment Shown on Generation { id canContinue parent { id } firstTurn { newestTurn { id } } newestTurn { id } }`,
    { input: { model: 'm', messages: [userMessage('Go on')], continueFrom: first }, ids: [first] },
  );
  const one = { id: data?.['one']?.id };
  const two = { id: data?.['two']?.id };
  const begun = { canContinue: true, parent: { id: first } };
  expect(data).toEqual({
    one: { ...one, ...begun, firstTurn: { newestTurn: one }, newestTurn: one },
    two: { ...two, ...begun, firstTurn: { newestTurn: two }, newestTurn: two },
    deleteGenerations: { deletedIds: [first] },
    oneAgain: { ...one, canContinue: false, parent: null, firstTurn: null, newestTurn: two },
  });
});

describe('the filter `onlyFirstTurns`', () => {
  test('combines with other members that have an index, and has no effect unless true', async () => {
    const app = await start();
    const first = await chatId(app);
    await chatId(app, { continueFrom: first });
    const run = (filter: GenerationFilter) => app.run(GenerationsDocument, { filter });
    for (const [filter, count] of [
      [{ onlyFirstTurns: true, kinds: ['CHAT'] }, 1],
      [{ onlyFirstTurns: true, kinds: ['IMAGE'] }, 0],
      [{ onlyFirstTurns: true, createdBefore: '2000-01-01T00:00:00Z' }, 0],
      [{ onlyFirstTurns: true, statuses: null }, 1],
      [{ onlyFirstTurns: false, statuses: ['SUCCEEDED'] }, 2],
      [{ onlyFirstTurns: null }, 2],
    ] as const satisfies readonly (readonly [unknown, number])[])
      expect(
        (await run(filter as GenerationFilter)).data?.generations?.totalCount,
        JSON.stringify(filter),
      ).toBe(count);
    for (const filter of [{ statuses: ['SUCCEEDED'] }, { models: [] }] as const) {
      const refused = await run({ ...filter, onlyFirstTurns: true });
      expect(refused).toMatchObject({
        data: { generations: null },
        errors: [{ extensions: { code: 'BAD_REQUEST' }, message: /onlyFirstTurns/ }],
      });
    }
  });

  test('selects the events of `generationChanged`, and every deletion', async () => {
    const app = await start();
    const filter = { onlyFirstTurns: true };
    const { feedCursor: after } = await readList(app, filter);
    const first = await chatId(app);
    const later = await chatId(app, { continueFrom: first });
    const second = await chatId(app);
    const events = subscribe(app.wsClient(), GenerationChangedDocument, { after, filter });
    const next = async () => (await events.next()).value?.data?.generationChanged;
    for (const id of [first, second])
      expect(await next()).toMatchObject({
        generationId: id,
        matchesFilter: true,
        generation: { firstTurn: { id } },
      });
    await remove(app, later);
    expect(await next()).toMatchObject({ __typename: 'GenerationDeleted', generationId: later });
  });

  test('is not needed to follow conversations: an event of a later turn names the first and the newest', async () => {
    const app = await start();
    const first = await chatId(app);
    const { feedCursor: after } = await readList(app);
    const { id: later } = await sendChat(app, { continueFrom: first });
    const events = app.wsClient().iterate({
      query: `subscription ($after: String) {
        generationChanged(after: $after, filter: { kinds: [CHAT] }) {
          ... on GenerationChanged { generation { id firstTurn { id prompt newestTurn { id } } } }
        }
      }`,
      variables: { after },
    });
    const { value } = await events.next();
    expect(value?.data).toEqual({
      generationChanged: {
        generation: { id: later, firstTurn: { id: first, prompt: 'Hello', newestTurn: { id: later } } },
      },
    });
  });

  test('other kinds have no conversation', async () => {
    const app = await start();
    await createImage(app);
    const { data } = await app.run(
      '{ generations { edges { node { kind firstTurn { id } newestTurn { id } } } } }',
      {},
    );
    const node = { kind: 'IMAGE', firstTurn: null, newestTurn: null };
    expect(data).toEqual({ generations: { edges: [{ node }] } });
  });
});
