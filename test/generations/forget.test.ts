import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { print } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  ChatEventsDocument,
  DeleteGenerationsDocument,
  GenerationDocument,
  GenerationsDocument,
  StartChatDocument,
} from '../../src/client/documents.generated.ts';
import { collect, sandboxKey, startApp, subscribe, type TestApp } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  createChatCompletionQuery,
  type Created,
  made,
  refused,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { codeOf } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

async function forget(app: TestApp, ids: readonly string[], headers = sandboxKey) {
  const { data, errors } = await app.run(DeleteGenerationsDocument, { ids: [...ids] }, { headers });
  expect(errors).toBeUndefined();
  return data?.deleteGenerations?.deletedIds;
}

const reply = { choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] };

const createSong = /* GraphQL */ `
  mutation ($key: ID) {
    createSong(input: { description: "x", model: SONG_V5 }, idempotencyKey: $key) {
      ... on Generation {
        id
        task {
          id
        }
      }
    }
  }
`;

describe('deleteGenerations', () => {
  test('removes the record and its stream, and leaves other records alone', async () => {
    await using app = await startApp();
    const { id } = made(await startChat(app, { input: ask('Hello') }));
    await app.sandbox.activity.waitUntilIdle();
    await toEnd(chatEvents(app.wsClient(), { id }));
    const other = made(await createChatCompletion(app, { input: ask('Other') }));
    expect(await forget(app, [id, 'generation_none', id, '\u0000'])).toEqual([id]);
    expect((await app.run(GenerationDocument, { by: { id } })).data?.generation).toBeNull();
    expect((await app.run(GenerationsDocument, {})).data?.generations?.edges).toMatchObject([
      { node: { id: other.id } },
    ]);
    expect(await collect(subscribe(app.wsClient(), ChatEventsDocument, { id }))).toMatchObject([
      { errors: [{ extensions: { code: 'NOT_FOUND' } }] },
    ]);
    expect(await forget(app, [id])).toEqual([]);
  });

  test('keeps the idempotency key until it expires: a late retry sends nothing', async () => {
    const directory = await createDirectory();
    const clock = createManualClock(Date.now());
    const gateway = await startFakeGateway((_request, response) => sendJson(response, reply));
    const env = { DATA_DIR: directory, IDEMPOTENCY_HOURS: '1' };
    await using app = await startApp({ gatewayUrl: gateway.url, env, overrides: { clock } });
    const create = async (text: string) => {
      const variables = { input: ask(text), idempotencyKey: 'late-retry' };
      const { data, errors } = await app.run<{ createChatCompletion: Created | null }, typeof variables>(
        createChatCompletionQuery,
        variables,
      );
      return { created: data?.createChatCompletion, errors };
    };
    const { created } = await create('a secret of the user');
    const id = created && 'id' in created ? created.id : '';
    expect(await forget(app, [id])).toEqual([id]);
    expect(await create('a secret of the user')).toMatchObject({
      created: null,
      errors: [{ extensions: { code: 'NOT_FOUND', retry: 'MAY_CHARGE_AGAIN' } }],
    });
    expect(await create('another input')).toMatchObject({ created: { code: 'IDEMPOTENCY_CONFLICT' } });
    const by = { by: { idempotencyKey: 'late-retry' } };
    expect(await app.run(GenerationDocument, by)).toEqual({ data: { generation: null } });
    expect(gateway.requests).toHaveLength(1);
    // Nothing of the input and the output remains.
    const database = new DatabaseSync(join(directory, 'gengraph.db'), { readOnly: true });
    try {
      expect(database.prepare('select * from contents').all()).toEqual([]);
      const [creation, ...others] = database.prepare('select * from creations').all();
      expect(others).toEqual([]);
      expect(JSON.stringify(creation)).not.toContain('secret');
    } finally {
      database.close();
    }
    await expect
      .poll(async () => {
        clock.advance(3_600_000);
        return create('a secret of the user');
      })
      .toMatchObject({ created: { status: 'SUCCEEDED' } });
    expect(gateway.requests).toHaveLength(2);
  });

  test('keeps the key of a create with an unknown outcome: a retry says that its record was deleted', async () => {
    await using app = await startApp();
    const variables = { input: ask('Hello', { model: 'fault-reset' }), idempotencyKey: 'k' };
    const { generation } = refused(await createChatCompletion(app, variables));
    expect(generation?.status).toBe('UNKNOWN');
    const id = generation?.id ?? '';
    expect(await forget(app, [id])).toEqual([id]);
    const sent = app.sandbox.activity.count();
    expect(await app.run(createChatCompletionQuery, variables)).toMatchObject({
      data: { createChatCompletion: null },
      errors: [{ extensions: { code: 'NOT_FOUND', retry: 'MAY_CHARGE_AGAIN' } }],
    });
    expect(app.sandbox.activity.count()).toBe(sent);
  });

  test('keeps the key of a WebSocket operation: its repetition sends nothing', async () => {
    await using app = await startApp();
    const operation = { query: print(StartChatDocument), variables: { input: ask('Hello') } };
    const operationId = randomUUID();
    const run = async () => {
      const socket = await openRawSocket(app.url);
      await socket.init();
      socket.subscribe(operationId, operation);
      const [answer] = await socket.waitForEnd(operationId);
      return answer?.payload as { data?: { startChat?: { id?: string } | null }; errors?: unknown };
    };
    const id = (await run()).data?.startChat?.id ?? '';
    await toEnd(chatEvents(app.wsClient(), { id }));
    expect(await forget(app, [id])).toEqual([id]);
    const sent = app.sandbox.activity.count();
    expect(await run()).toMatchObject({
      data: { startChat: null },
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
    expect(app.sandbox.activity.count()).toBe(sent);
  });

  test('does not remove records of other owners', async () => {
    await using app = await startApp();
    const { id } = made(await createChatCompletion(app, { input: ask('Hello') }));
    expect(await forget(app, [id], { ...sandboxKey, 'x-end-user': 'ann' } as typeof sandboxKey)).toEqual([]);
    expect((await app.run(GenerationDocument, { by: { id } })).data?.generation?.id).toBe(id);
  });

  test('does not remove a running chat before it ends', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('a'));
    const { id } = made(await starting);
    const { data } = await app.run(DeleteGenerationsDocument, { ids: ['generation_none', id, id] });
    expect(data?.deleteGenerations).toEqual({
      deletedIds: [],
      skipped: [
        { id: 'generation_none', reason: 'NOT_FOUND' },
        { id, reason: 'RUNNING' },
      ],
    });
    exchange.send(...words('b'), '[DONE]');
    expect((await toEnd(chatEvents(app.wsClient(), { id }))).at(-1)?.__typename).toBe('ChatCompleted');
    expect(await forget(app, [id])).toEqual([id]);
  });

  test('removes the record of a task, whose id remains readable', async () => {
    const music = await startFakeMusic();
    await using app = await startApp({ gatewayUrl: music.url });
    const created = await app.run<{ createSong: { id: string; task: { id: string } } }, object>(createSong, {
      key: 'k',
    });
    const { id, task } = created.data?.createSong ?? { id: '', task: { id: '' } };
    expect(await forget(app, [id])).toEqual([id]);
    const found = await app.run<{ task: object }, object>(
      '{ task(id: "' + task.id + '") { status generation { id } } }',
    );
    expect(found.data?.task).toEqual({ status: 'RUNNING', generation: null });
  });

  test('keeps a watched task deleted: the watch continues and records nothing', async () => {
    const directory = await createDirectory();
    const music = await startFakeMusic({
      answer: (ids, fetch) => ({
        body: {
          code: 'success',
          data: ids.map((id) => (fetch > 4 ? finishedSong(id) : musicTask(id, 'IN_PROGRESS', { fetch }))),
        },
      }),
    });
    const env = { DATA_DIR: directory, TASK_POLL_SECONDS: '0.05', TASK_POLL_MAX_SECONDS: '0.05' };
    await using app = await startApp({ gatewayUrl: music.url, env });
    const created = await app.run<{ createSong: { id: string; task: { id: string } } }, object>(
      createSong,
      {},
    );
    const { id, task } = created.data?.createSong ?? { id: '', task: { id: '' } };
    const watch = app.wsClient().iterate<{ taskProgress: { status: string; generation: object | null } }>({
      query: 'subscription ($id: ID!) { taskProgress(id: $id) { status generation { id } } }',
      variables: { id: task.id },
    });
    expect((await watch.next()).value).toMatchObject({ data: { taskProgress: { generation: { id } } } });
    expect(await forget(app, [id])).toEqual([id]);
    const rest: unknown[] = [];
    for await (const { data } of watch) rest.push(data?.taskProgress);
    expect(rest.at(-1)).toEqual({ status: 'SUCCEEDED', generation: null });
    const database = new DatabaseSync(join(directory, 'gengraph.db'), { readOnly: true });
    try {
      expect(database.prepare('select * from tasks').all()).toEqual([]);
    } finally {
      database.close();
    }
  });

  test('rejects a request without a credential or with more than 100 ids', async () => {
    await using app = await startApp();
    const ids = Array.from({ length: 101 }, (_, index) => `generation_${index}`);
    expect(codeOf(await app.run(DeleteGenerationsDocument, { ids }))).toBe('LIMIT_EXCEEDED');
    expect(codeOf(await app.run(DeleteGenerationsDocument, { ids: [] }, { headers: {} }))).toBe(
      'UNAUTHENTICATED',
    );
  });
});
