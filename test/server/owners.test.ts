import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AwaitGenerationDocument,
  CancelGenerationDocument,
  ChatEventsDocument,
  CreateAccessTokenDocument,
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  GenerationDocument,
  GenerationsDocument,
  NodeDocument,
  NodesDocument,
} from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe, systemToken } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  createChatCompletion,
  findGeneration,
  made,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const mine = { authorization: 'Bearer sk-sandbox' };
/** Another valid key, created in beforeAll. */
const other = { authorization: '' };
const strangers = [
  ['another credential', other],
  ['the same credential for another end user', { ...mine, 'x-end-user': 'bob' }],
  ['the same credential as another user', { ...mine, 'new-api-user': '7' }],
] as const;

let app: Awaited<ReturnType<typeof startApp>>;
let finished: string;
let running: string;
beforeAll(async () => {
  app = await startApp({ env: { SHUTDOWN_SECONDS: '0.05' } });
  other.authorization = `Bearer ${await createKey()}`;
  finished = made(await createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'done' }, mine)).id;
  const stalled = { input: ask('Hello', { model: 'fault-stalled-stream' }), idempotencyKey: 'going-on' };
  running = made(await startChat(app, stalled, mine)).id;
});
afterAll(() => app[Symbol.asyncDispose]());

async function createKey(): Promise<string> {
  const input = { name: 'other', quota: { isUnlimited: true } };
  const { data } = await app.run(CreateAccessTokenDocument, { input }, { headers: systemToken });
  if (data?.createAccessToken?.__typename !== 'CreatedAccessToken' || !data.createAccessToken.key)
    throw new Error(JSON.stringify(data));
  return data.createAccessToken.key;
}

describe.each(strangers)('with %s', (_who, headers) => {
  test('the generations of a caller are not listed', async () => {
    const { data } = await app.run(GenerationsDocument, {}, { headers });
    expect(data).toEqual({
      generations: {
        totalCount: 0,
        isTotalCapped: false,
        feedCursor: expect.any(String),
        edges: [],
        pageInfo: { hasNextPage: false, endCursor: null },
      },
    });
  });

  test('their ids are not found', async () => {
    for (const id of [finished, running]) {
      expect(await app.run(NodeDocument, { id }, { headers })).toEqual({ data: { node: null } });
      expect(await app.run(NodesDocument, { ids: [id, id] }, { headers })).toEqual({
        data: { nodes: [null, null] },
      });
      expect(await app.run(GenerationDocument, { by: { id } }, { headers })).toEqual({
        data: { generation: null },
      });
    }
  });

  test('their streams cannot be subscribed to, over a WebSocket or as server-sent events', async () => {
    for (const client of [app.wsClient({ connectionParams: headers }), app.sseClient({ headers })]) {
      for (const id of [finished, running]) {
        const events = await collect(subscribe(client, ChatEventsDocument, { id }));
        expect(events).toMatchObject([
          { errors: [{ path: ['chatEvents'], extensions: { code: 'NOT_FOUND' } }] },
        ]);
      }
    }
    expect(app.app.activity.streams).toBe(1);
  });

  test('they cannot be canceled, by id or by key', async () => {
    for (const by of [
      { id: finished },
      { id: running },
      { idempotencyKey: 'done' },
      { idempotencyKey: 'going-on' },
    ]) {
      const { data } = await app.run(CancelGenerationDocument, { by }, { headers });
      expect(data?.cancelGeneration).toMatchObject({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    }
    expect((await findGeneration(app, running, mine))?.status).toBe('RUNNING');
  });

  test('they cannot be awaited', async () => {
    for (const id of [finished, running])
      expect(
        await app.run(AwaitGenerationDocument, { by: { id }, timeoutSeconds: 300 }, { headers }),
      ).toEqual({
        data: { awaitGeneration: null },
      });
  });

  test('they cannot be forgotten', async () => {
    const ids = [finished, running];
    expect(await app.run(DeleteGenerationsDocument, { ids }, { headers })).toEqual({
      data: {
        deleteGenerations: { deletedIds: [], skipped: ids.map((id) => ({ id, reason: 'NOT_FOUND' })) },
      },
    });
    expect((await findGeneration(app, finished, mine))?.status).toBe('SUCCEEDED');
  });

  test('their changes are not published', async () => {
    const client = app.wsClient({ connectionParams: headers });
    const feed = subscribe(client, GenerationChangedDocument, {});
    const first = feed.next();
    await expect.poll(() => app.app.activity.feeds).toBe(1);
    made(await createChatCompletion(app, { input: ask('Hello') }, mine));
    // Created second: if both changes were published, this one would not be the first event.
    const own = made(await createChatCompletion(app, { input: ask('Hello') }, headers));
    expect((await first).value?.data?.generationChanged).toMatchObject({ generationId: own.id });
    await feed.return?.();
    await expect.poll(() => app.app.activity.feeds).toBe(0);
  });

  test('the same WebSocket operation id does not join their chat', async () => {
    const id = crypto.randomUUID();
    const run = (connectionParams: Readonly<Record<string, string>>, text: string) =>
      toEnd(streamChat(app.wsClient({ generateID: () => id, connectionParams }), { input: ask(text) }));
    const [first, second] = [await run(mine, 'Hello'), await run(headers, 'Something else')];
    expect(second.at(-1)?.__typename).toBe('ChatCompleted');
    expect(second[0]?.generationId).not.toBe(first[0]?.generationId);
  });
});

test('idempotency keys of different end users are independent', async () => {
  const variables = { input: ask('Something else'), idempotencyKey: 'done' };
  const bob = { ...mine, 'x-end-user': 'bob-2' };
  const { id } = made(await createChatCompletion(app, variables, bob));
  expect(id).not.toBe(finished);
  expect(made(await cancelGeneration(app, { idempotencyKey: 'done' }, bob)).id).toBe(id);
  expect(made(await cancelGeneration(app, { idempotencyKey: 'done' }, mine)).id).toBe(finished);
});

interface Spelling {
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}
const ann = { ...mine, 'x-end-user': 'ann' };
const spellings: readonly (readonly [string, typeof mine, Spelling])[] = [
  ['in connectionParams, as token', mine, { params: { token: 'sk-sandbox' } }],
  [
    'in connectionParams, with the end user',
    ann,
    { params: { Authorization: 'bearer sk-sandbox', 'X-End-User': 'ann' } },
  ],
  ["in the handshake's headers", ann, { headers: { authorization: 'sk-sandbox', 'x-end-user': 'ann' } }],
  [
    'partly in the handshake, partly in connectionParams',
    ann,
    { headers: { 'x-end-user': 'ann' }, params: { token: 'sk-sandbox' } },
  ],
];

test.each(spellings)(
  'the identity of a caller does not depend on the transport: %s',
  async (_how, caller, { params = null, headers = {} }) => {
    const { id } = made(await createChatCompletion(app, { input: ask('Hello') }, caller));
    const socket = await openRawSocket(app.url, { headers });
    await socket.init(params);
    socket.subscribe('a', `{ generation(by: { id: "${id}" }) { id } }`);
    expect((await socket.waitForMessage('a')).payload).toEqual({ data: { generation: { id } } });
  },
);
