import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatInput } from '../../src/client/documents.generated.ts';
import type { TestApp, TestAppOptions } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  made,
  nextEvent,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { createHeldMethod } from '../support/held-method.ts';
import { createFolder, createUpload } from '../support/files.ts';
import { type Instances, startInstances } from '../support/instances.ts';
import { pngOf } from '../support/png.ts';
import { type ScriptedGateway, words } from '../support/scripted-gateway.ts';
import type { StoreMethod } from '../support/throwing-store.ts';

test('a duplicate of a create that waits for the whole reply waits for it on another server too', async () => {
  const { first, second, gateway } = await startInstances(2);
  const hello = { input: ask('Hello'), idempotencyKey: 'k' };
  const creating = createChatCompletion(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const list = '{ generations { edges { node { status } } } }';
  await expect
    .poll(async () => (await second.run(list)).data)
    .toEqual({ generations: { edges: [{ node: { status: 'RUNNING' } }] } });
  const repeating = createChatCompletion(second, hello);
  await expect.poll(() => second.app.activity.watchers).toBe(1);
  exchange.send(...words('b'), '[DONE]');
  for (const created of [await creating, await repeating])
    expect(made(created)).toMatchObject({
      status: 'SUCCEEDED',
      output: { choices: [{ message: { content: 'ab' } }] },
    });
  expect(gateway.requests).toHaveLength(1);
});

interface SlowServerOptions extends TestAppOptions {
  /** The method of the store that it waits for. @default 'claim' */
  readonly method?: StoreMethod;
  /** @default it says hello */
  readonly prepareInput?: (
    instances: Pick<Instances, 'gateway'> & { readonly first: TestApp },
  ) => Promise<ChatInput>;
}

/** A server that cannot claim a create yet. */
async function startSlowServer({ method = 'claim', prepareInput, ...options }: SlowServerOptions = {}) {
  const { first, gateway, start } = await startInstances(2, options);
  const input = (await prepareInput?.({ first, gateway })) ?? ask('Hello');
  const { wrapStore, called, release } = createHeldMethod(method);
  onTestFinished(() => release());
  const slow = await start({ overrides: { wrapStore } });
  // As the stock client does after a lost connection: the same operation id again.
  const id = randomUUID();
  const subscribe = (app: TestApp) => {
    const client = app.wsClient({ generateID: () => id });
    return { client, events: streamChat(client, { input }) };
  };
  const { client, events } = subscribe(slow);
  const answer = events.next();
  answer.catch(() => {});
  await called;
  return { first, slow, gateway, client, answer, subscribe, release };
}

/** After its client has left. */
async function leaveSlowServer() {
  const started = await startSlowServer();
  started.client.terminate();
  await expect.poll(() => started.slow.app.activity.sockets).toBe(0);
  return started;
}

test('a create without a key is not sent for a client that has left: another server may have told it of a refusal', async () => {
  const { first, slow, gateway, subscribe, release } = await leaveSlowServer();
  const refused = nextEvent(subscribe(first).events);
  (await gateway.exchange(0)).reply(429, { error: { message: 'not now' } });
  expect(await refused).toMatchObject({ __typename: 'ChatFailed', error: { retry: 'LATER' } });
  release();
  await slow.app.close();
  expect(gateway.requests).toHaveLength(1);
});

/** Starts a chat that runs. Returns its id. */
async function startRunning(app: TestApp, gateway: ScriptedGateway): Promise<string> {
  const starting = startChat(app, { input: ask('Bye'), idempotencyKey: 'running' });
  (await gateway.exchange(0)).send(...words('a'));
  return made(await starting).id;
}

async function endRunning(app: TestApp, gateway: ScriptedGateway, id: string): Promise<void> {
  (await gateway.exchange(0)).send('[DONE]');
  await toEnd(chatEvents(app.wsClient(), { id }));
}

describe('a create without a key whose client seems to be connected is not sent after another server', () => {
  const failed = { done: false, value: { __typename: 'ChatFailed', error: { code: 'RATE_LIMITED' } } };

  test('has got a refusal of the gateway', async () => {
    const { first, gateway, answer, subscribe, release } = await startSlowServer();
    const refused = nextEvent(subscribe(first).events);
    (await gateway.exchange(0)).reply(429, { error: { message: 'not now' } });
    expect(await refused).toMatchObject({ ...failed.value, error: { retry: 'LATER' } });
    release();
    expect(await answer).toMatchObject({ ...failed, value: { error: { message: 'not now' } } });
    expect(gateway.requests).toHaveLength(1);
  });

  test('has refused it at a limit', async () => {
    const { first, gateway, answer, subscribe, release } = await startSlowServer({
      env: { MAX_RUNNING_PER_OWNER: '1' },
    });
    const id = await startRunning(first, gateway);
    expect(await nextEvent(subscribe(first).events)).toMatchObject(failed.value);
    await endRunning(first, gateway, id);
    release();
    expect(await answer).toMatchObject(failed);
    expect(gateway.requests).toHaveLength(1);
  });

  test('has refused it because the chat that it continues runs', async () => {
    let parent = '';
    const { first, gateway, answer, subscribe, release } = await startSlowServer({
      method: 'findThread',
      async prepareInput(instances) {
        parent = await startRunning(instances.first, instances.gateway);
        return ask('And?', { continueFrom: parent });
      },
    });
    const running = { __typename: 'ChatFailed', error: { code: 'NOT_CONTINUABLE', retry: 'LATER' } };
    expect(await nextEvent(subscribe(first).events)).toMatchObject(running);
    await endRunning(first, gateway, parent);
    release();
    expect(await answer).toMatchObject({ done: false, value: running });
    expect(gateway.requests).toHaveLength(1);
  });

  test('has refused it because its file was not there', async () => {
    let url = '';
    const file = pngOf('late');
    const { first, gateway, answer, subscribe, release } = await startSlowServer({
      method: 'findCreation',
      env: { FILES: 'folder', FILES_DIR: await createFolder() },
      async prepareInput(instances) {
        const upload = await createUpload(instances.first, {
          contentType: 'image/png',
          sizeBytes: file.length,
        });
        url = upload.url ?? '';
        return ask('', {
          messages: [{ role: 'USER', content: { parts: [{ imageUrl: { url: upload.id ?? '' } }] } }],
        });
      },
    });
    const missing = { __typename: 'ChatFailed', error: { code: 'INVALID_INPUT' } };
    expect(await nextEvent(subscribe(first).events)).toMatchObject(missing);
    expect((await fetch(url, { method: 'PUT', body: new Uint8Array(file) })).ok).toBe(true);
    release();
    expect(await answer).toMatchObject({ done: false, value: missing });
    expect(gateway.requests).toHaveLength(0);
  });
});

test('a create without a key is sent once for a client that has come back to the same server', async () => {
  const { slow, gateway, subscribe, release } = await leaveSlowServer();
  const events = toEnd(subscribe(slow).events);
  await expect.poll(() => slow.app.activity.sockets).toBe(1);
  release();
  (await gateway.exchange(0)).send(...words('a'), '[DONE]');
  expect((await events).at(-1)?.__typename).toBe('ChatCompleted');
  expect(gateway.requests).toHaveLength(1);
});
