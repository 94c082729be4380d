import { describe, expect, test } from 'vitest';
import {
  AwaitGenerationDocument,
  CreateAccessTokenDocument,
  GenerationDocument,
} from '../../src/client/documents.generated.ts';
import { sandboxKey, startApp, systemToken, type TestApp } from '../support/app.ts';
import type { Store } from '../../src/store/store.ts';
import {
  ask,
  cancelGeneration,
  createChatCompletion,
  made,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createHeldMethod } from '../support/held-method.ts';
import { codeOf } from '../support/http.ts';
import { startScripted } from '../support/scripted-gateway.ts';

const idempotencyKey = 'my-key';
const hello = { input: ask('Hello'), idempotencyKey };
const ann = { ...sandboxKey, 'x-end-user': 'ann' };

async function find(
  app: TestApp,
  key = idempotencyKey,
  headers: Readonly<Record<string, string>> = sandboxKey,
) {
  const { data, errors } = await app.run(GenerationDocument, { by: { idempotencyKey: key } }, { headers });
  expect(errors).toBeUndefined();
  return data?.generation;
}

async function wait(app: TestApp, timeoutSeconds: number) {
  const { data } = await app.run(AwaitGenerationDocument, { by: { idempotencyKey }, timeoutSeconds });
  return data?.awaitGeneration;
}

describe('an idempotency key', () => {
  test('selects the generation of its create, for its owner only', async () => {
    await using app = await startApp();
    const { id } = made(await createChatCompletion(app, hello));
    expect(await find(app)).toMatchObject({ id, status: 'SUCCEEDED' });
    expect(await wait(app, 30)).toMatchObject({ id, status: 'SUCCEEDED' });
    expect(await find(app, idempotencyKey, ann)).toBeNull();
    for (const key of ['other', '', '\u0000', 'k'.repeat(10_000)]) expect(await find(app, key)).toBeNull();
    const own = made(await createChatCompletion(app, hello, ann));
    expect((await find(app, idempotencyKey, ann))?.id).toBe(own.id);
    expect((await find(app))?.id).toBe(id);
  });

  test('selects nothing before the gateway accepts the create, then the running generation', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, hello);
    const exchange = await gateway.exchange(0);
    expect([await find(app), await wait(app, 300)]).toEqual([null, null]);
    exchange.accept();
    const { id } = made(await starting);
    expect(await find(app)).toMatchObject({ id, status: 'RUNNING' });
    const waiting = wait(app, 300);
    exchange.send('[DONE]');
    expect(await waiting).toMatchObject({ id, status: 'SUCCEEDED' });
  });

  test('can be canceled later, while its create is about to be recorded', async () => {
    const { called, release, wrapStore } = createHeldMethod('claim');
    await using app = await startApp({ overrides: { wrapStore } });
    const starting = startChat(app, hello);
    await called;
    const canceled = await cancelGeneration(app, { idempotencyKey });
    release();
    made(await starting);
    expect(canceled).toMatchObject({ code: 'NOT_CANCELABLE', retry: 'LATER' });
  });

  test('selects nothing after a refusal', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const creating = createChatCompletion(app, hello);
    (await gateway.exchange(0)).reply(400, { error: { message: 'no' } });
    refused(await creating);
    expect(await find(app)).toBeNull();
  });

  test('selects a generation whose reply was lost, also after a restart', async () => {
    const directory = await createDirectory();
    const scripted = await startScripted({ env: { DATA_DIR: directory } });
    const creating = createChatCompletion(scripted.app, hello);
    (await scripted.gateway.exchange(0)).cut();
    const { code, generation } = refused(await creating);
    expect(code).toBe('OUTCOME_UNKNOWN');
    const expected = { id: generation?.id, status: 'UNKNOWN', isTerminal: true };
    expect(await find(scripted.app)).toMatchObject(expected);
    await scripted[Symbol.asyncDispose]();
    await using again = await startApp({ env: { DATA_DIR: directory } });
    expect(await find(again)).toMatchObject(expected);
    expect(await wait(again, 300)).toMatchObject(expected);
  });

  test.each([
    ['a duplicate', hello],
    ['another create with it', { ...hello, input: ask('Other') }],
  ])(
    'selects its generation while %s is being looked up, for reads, cancels and duplicates',
    async (_who, again) => {
      let claiming: PromiseWithResolvers<void> | undefined;
      let onClaim = (): void => {};
      const wrapStore = (store: Store): Store => ({
        ...store,
        async claim(...args) {
          const isHeld = claiming;
          claiming = undefined;
          onClaim();
          await isHeld?.promise;
          return store.claim(...args);
        },
      });
      await using app = await startApp({ overrides: { wrapStore } });
      const { id } = made(await createChatCompletion(app, hello));
      const held = Promise.withResolvers<void>();
      claiming = held;
      const arrived = new Promise<void>((resolve) => (onClaim = resolve));
      const looking = createChatCompletion(app, again);
      await arrived;
      expect((await find(app))?.id).toBe(id);
      expect(await cancelGeneration(app, { idempotencyKey })).not.toMatchObject({ code: 'NOT_FOUND' });
      if (again === hello) held.resolve();
      expect(made(await createChatCompletion(app, hello)).id).toBe(id);
      held.resolve();
      const result = await looking;
      expect('id' in result ? result.id : result.code).toBe(again === hello ? id : 'IDEMPOTENCY_CONFLICT');
    },
  );

  test('selects no token, and is separate from the ids of WebSocket operations', async () => {
    await using app = await startApp();
    const input = { name: 'n', quota: { isUnlimited: true }, groups: ['default'] } as const;
    const made = await app.run(
      CreateAccessTokenDocument,
      { input, idempotencyKey },
      { headers: systemToken },
    );
    expect(made.errors).toBeUndefined();
    expect(await find(app, idempotencyKey, systemToken)).toBeNull();
    const operationId = crypto.randomUUID();
    await toEnd(streamChat(app.wsClient({ generateID: () => operationId }), { input: ask('Hello') }));
    for (const key of [operationId, `${operationId}:streamChat`, `operation:${operationId}:streamChat`])
      expect(await find(app, key)).toBeNull();
  });

  test('needs a credential, and is not combined with an id', async () => {
    await using app = await startApp();
    const by = { idempotencyKey };
    expect(codeOf(await app.run(GenerationDocument, { by }, { headers: {} }))).toBe('UNAUTHENTICATED');
    const both = { by: { idempotencyKey, id: 'x' } };
    expect(codeOf(await app.run(GenerationDocument, both as never))).toBe('BAD_REQUEST');
  });
});
