import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CancelGenerationDocument,
  ChatStreamDocument,
  GenerationDocument,
  GenerationsDocument,
  NodeDocument,
  NodesDocument,
} from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  createChatCompletion,
  findGeneration,
  made,
  startChat,
} from '../support/chats.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const mine = { authorization: 'Bearer sk-sandbox' };
const strangers = [
  ['another credential', { authorization: 'Bearer sk-other' }],
  ['the same credential for another end user', { ...mine, 'x-end-user': 'bob' }],
  ['the same credential as another user', { ...mine, 'new-api-user': '7' }],
] as const;

let app: Awaited<ReturnType<typeof startApp>>;
let finished: string;
let running: string;
beforeAll(async () => {
  app = await startApp({ env: { SHUTDOWN_SECONDS: '0.05' } });
  finished = made(await createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'done' }, mine)).id;
  const stalled = { input: ask('Hello', { model: 'fault-stalled-stream' }), idempotencyKey: 'going-on' };
  running = made(await startChat(app, stalled, mine)).id;
});
afterAll(() => app[Symbol.asyncDispose]());

describe.each(strangers)('to %s', (_who, headers) => {
  test('the generations of a caller are in no list', async () => {
    const { data } = await app.run(GenerationsDocument, {}, { headers });
    expect(data).toEqual({
      generations: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
    });
  });

  test('their ids name nothing', async () => {
    for (const id of [finished, running]) {
      expect(await app.run(NodeDocument, { id }, { headers })).toEqual({ data: { node: null } });
      expect(await app.run(NodesDocument, { ids: [id, id] }, { headers })).toEqual({
        data: { nodes: [null, null] },
      });
      expect(await app.run(GenerationDocument, { id }, { headers })).toEqual({ data: { generation: null } });
    }
  });

  test('their streams cannot be followed, over a WebSocket or as server-sent events', async () => {
    for (const client of [app.wsClient({ connectionParams: headers }), app.sseClient({ headers })]) {
      for (const id of [finished, running]) {
        const events = await collect(subscribe(client, ChatStreamDocument, { id }));
        expect(events).toHaveLength(1);
        expect(events[0]?.data?.chatStream).toMatchObject({
          __typename: 'ChatFailed',
          generationId: null,
          error: { code: 'NOT_RESUMABLE' },
        });
      }
    }
    expect(app.app.activity.streams).toBe(1);
  });

  test('they cannot be cancelled, by id or by key', async () => {
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
});

test('the same idempotency key is another key to another end user', async () => {
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
  'a caller is the same however it says who it is: %s',
  async (_how, caller, { params = null, headers = {} }) => {
    const { id } = made(await createChatCompletion(app, { input: ask('Hello') }, caller));
    const socket = await openRawSocket(app.url, { headers });
    await socket.init(params);
    socket.subscribe('a', `{ generation(id: "${id}") { id } }`);
    expect((await socket.whenHeard('a')).payload).toEqual({ data: { generation: { id } } });
  },
);
