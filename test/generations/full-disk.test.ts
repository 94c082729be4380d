import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { StoreError } from '../../src/errors.ts';
import type { TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chat,
  chatStream,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

/** Records on a disk that a test fills and frees. */
function createDisk() {
  let isFull = false;
  const refuse = (options: { readonly isBeforeSending?: boolean } = {}): void => {
    if (isFull) throw new StoreError('The records cannot be used: the disk is full', options);
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    markSending: async (...given) => (refuse({ isBeforeSending: true }), store.markSending(...given)),
    release: async (...given) => (refuse(), store.release(...given)),
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

describe('a key that cannot be given back because the disk is full', () => {
  const hello = { input: ask('Hello'), idempotencyKey: 'k' };
  const notSent = /cannot store records right now\. Nothing was sent/;

  async function start() {
    const clock = createManualClock();
    const disk = createDisk();
    const scripted = await startScripted({ overrides: { clock, wrapStore: disk.wrapStore } });
    onTestFinished(() => scripted[Symbol.asyncDispose]());
    return { ...scripted, clock, disk };
  }
  /** What the key stands for. */
  const holder = async (app: TestApp) => cancelGeneration(app, { idempotencyKey: 'k' });

  test('of a create that was not sent is free again as soon as there is room', async () => {
    const { app, gateway, disk } = await start();
    disk.fill();
    await expect(startChat(app, hello)).rejects.toThrow(notSent);
    // Told again for the same reason, and not as an unknown outcome.
    await expect(startChat(app, hello)).rejects.toThrow(notSent);
    disk.free();
    // Other input than the one that was never sent.
    const creating = startChat(app, { ...hello, input: ask('Bye') });
    (await gateway.exchange(0)).send(...words('a'), '[DONE]');
    made(await creating);
    expect(gateway.requests).toHaveLength(1);
  });

  test('of a claim that was written though that failed is free again, too', async () => {
    let hasFailed = false;
    const wrapStore = (store: Store): Store => ({
      ...store,
      async claim(...given) {
        const holder = await store.claim(...given);
        if (hasFailed) return holder;
        hasFailed = true;
        throw new StoreError('The records cannot be used: gone for a moment', { isBeforeSending: true });
      },
    });
    await using scripted = await startScripted({ overrides: { wrapStore } });
    const { app, gateway } = scripted;
    await expect(startChat(app, hello)).rejects.toThrow(notSent);
    const creating = startChat(app, hello);
    (await gateway.exchange(0)).send(...words('a'), '[DONE]');
    made(await creating);
    expect(gateway.requests).toHaveLength(1);
  });

  test('is given back also when nobody asks for it any more', async () => {
    const { app, gateway, disk, clock } = await start();
    disk.fill();
    await expect(startChat(app, hello)).rejects.toThrow(notSent);
    disk.free();
    for (let turn = 0; turn < 200 && (await holder(app)).__typename !== 'NotFoundError'; turn += 1)
      clock.advance(15_000);
    expect((await holder(app)).__typename).toBe('NotFoundError');
    expect(gateway.requests).toHaveLength(0);
  });

  test('of a create that the gateway refused does not hide the refusal, and is free later', async () => {
    const { app, gateway, disk } = await start();
    const creating = startChat(app, hello);
    const exchange = await gateway.exchange(0);
    disk.fill();
    exchange.reply(429, { error: { message: 'slow down' } });
    expect(refused(await creating).code).toBe('RATE_LIMITED');
    await expect(startChat(app, hello)).rejects.toThrow(notSent);
    disk.free();
    const again = startChat(app, hello);
    (await gateway.exchange(1)).send(...words('a'), '[DONE]');
    made(await again);
  });

  test('of a chat that was answered before its refusal leaves the chat its end', async () => {
    const { app, gateway, disk, clock } = await start();
    const starting = startChat(app, hello);
    const exchange = await gateway.exchange(0);
    await clock.whenScheduled(10_000);
    clock.advance(10_000);
    const { id } = made(await starting);
    const events = toEnd(chatStream(app.wsClient(), { id }));
    disk.fill();
    exchange.reply(429, { error: { message: 'slow down' } });
    expect((await events).at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'RATE_LIMITED' },
    });
    disk.free();
    await settled(app, id, 'FAILED', () => clock.advance(15_000));
    const again = startChat(app, hello);
    (await gateway.exchange(1)).send(...words('a'), '[DONE]');
    expect(made(await again).id).not.toBe(id);
  });
});
