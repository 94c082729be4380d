import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { startApp, type TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chat,
  chatStream,
  findGeneration,
  made,
  nextEvent,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, startScriptedGateway, words } from '../support/scripted-gateway.ts';

/** Records on a disk that a test fills and frees. */
function createDisk() {
  let isFull = false;
  const refuse = (): void => {
    if (isFull) throw new Error('database or disk is full');
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    settle: async (...given) => (refuse(), store.settle(...given)),
    endGeneration: async (...given) => (refuse(), store.endGeneration(...given)),
    saveOutput: async (...given) => (refuse(), store.saveOutput(...given)),
  });
  return { wrapStore, fill: () => void (isFull = true), free: () => void (isFull = false) };
}

async function settled(app: TestApp, id: string, status: string, tick: () => void): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if ((await findGeneration(app, id))?.status === status) return;
    tick();
  }
  throw new Error(`never became ${status}`);
}

describe('a disk that is full for a while', () => {
  test('while a chat ends loses nothing of it', async () => {
    const clock = createManualClock();
    const disk = createDisk();
    await using scripted = await startScripted({ overrides: { clock, wrapStore: disk.wrapStore } });
    const { app, gateway } = scripted;
    const events = chat(app.wsClient(), { input: ask('Hello'), idempotencyKey: 'k' });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const id = (await first).generationId ?? '';
    disk.fill();
    exchange.send(...words('a', 'b'), '[DONE]');
    const seen = await toEnd(events);
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
    expect(await findGeneration(app, id)).toMatchObject({ status: 'RUNNING' });
    // The log is gone before the disk has room again.
    clock.advance(120_000);
    disk.free();
    await settled(app, id, 'SUCCEEDED', () => clock.advance(15_000));
    const later = await toEnd(chatStream(app.wsClient(), { id }));
    expect(foldedText(later)).toBe('ab');
    expect(later.at(-1)?.__typename).toBe('ChatCompleted');
  });

  test('when a chat is accepted says that its outcome is unknown, and keeps what comes', async () => {
    const clock = createManualClock();
    const disk = createDisk();
    await using scripted = await startScripted({ overrides: { clock, wrapStore: disk.wrapStore } });
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    disk.fill();
    exchange.accept();
    expect(await starting).toMatchObject({ __typename: 'OutcomeUnknownError' });
    exchange.send(...words('a'), '[DONE]');
    exchange.end();
    await exchange.closed;
    disk.free();
    const find = async () => made(await startChat(app, { input: ask('Hello'), idempotencyKey: 'k' }));
    let id = '';
    for (let turn = 0; turn < 200 && id === ''; turn += 1) {
      clock.advance(15_000);
      id = await find().then(
        (generation) => generation.id,
        () => '',
      );
    }
    await settled(app, id, 'SUCCEEDED', () => clock.advance(15_000));
    expect(foldedText(await toEnd(chatStream(app.wsClient(), { id })))).toBe('a');
    expect(gateway.requests).toHaveLength(1);
    expect(app.app.activity.streams).toBe(0);
  });
});

describe('two servers that share their records', () => {
  const startTwo = async () => {
    const directory = await createDirectory();
    const gateway = await startScriptedGateway();
    const clock = createManualClock();
    const options = {
      gatewayUrl: gateway.url,
      env: { DATA_DIR: directory, SHUTDOWN_SECONDS: '0.05' },
      overrides: { clock },
    };
    const one = await startApp(options);
    const other = await startApp(options);
    return {
      one,
      other,
      gateway,
      clock,
      directory,
      async [Symbol.asyncDispose]() {
        await one[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  };

  test('stop a chat through either of them', async () => {
    await using two = await startTwo();
    const { one, other, gateway, clock } = two;
    const events = chat(one.wsClient(), { input: ask('Hello'), idempotencyKey: 'k' });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const id = (await first).generationId ?? '';
    expect(made(await cancelGeneration(other, { id }))).toMatchObject({ status: 'CANCELED' });
    // The one that runs it sees so when it next saves what has come.
    exchange.send(...words('a'));
    const delta = await nextEvent(events);
    expect(delta.__typename).toBe('ChatDelta');
    clock.advance(1000);
    await exchange.closed;
    expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCanceled');
    expect(await findGeneration(one, id)).toMatchObject({ status: 'CANCELED', error: null });
  });

  test('keep the first end, whoever comes second with another', async () => {
    await using two = await startTwo();
    const { one, gateway, clock, directory } = two;
    const events = chat(one.wsClient(), { input: ask('Hello'), idempotencyKey: 'k' });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const id = (await first).generationId ?? '';
    // As one that takes this server for dead does it.
    const records = await createSqliteStore({ directory, clock: systemClock });
    const error = { code: 'INTERRUPTED', message: 'taken for dead' };
    await records.endGeneration(id, { status: 'FAILED', error, finishedAt: 1000, isVisible: true });
    await records.close();
    exchange.send(...words('a'), '[DONE]');
    clock.advance(1000);
    expect((await toEnd(events)).at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'INTERRUPTED' },
    });
    expect(await findGeneration(one, id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'INTERRUPTED' },
      finishedAt: new Date(1000).toISOString(),
    });
  });
});
