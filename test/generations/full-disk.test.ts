import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { RecordsUnavailableError } from '../../src/errors.ts';
import type { TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

/** A store wrapper that simulates a disk which tests fill and free. */
function createDisk() {
  let isFull = false;
  let releases = 0;
  const refuse = (): void => {
    if (isFull) throw new RecordsUnavailableError('The records cannot be used: the disk is full');
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    // Written, but not synced.
    async claim(...parameters) {
      const holder = await store.claim(...parameters);
      if (!holder) refuse();
      return holder;
    },
    async release(...parameters) {
      refuse();
      const removed = await store.release(...parameters);
      releases += 1;
      return removed;
    },
    settle: async (...parameters) => (refuse(), store.settle(...parameters)),
    endGeneration: async (...parameters) => (refuse(), store.endGeneration(...parameters)),
    saveOutput: async (...parameters) => (refuse(), store.saveOutput(...parameters)),
  });
  /** Resolves when a key was released. */
  const released = async (tick: () => void): Promise<void> => {
    for (let attempt = 0; attempt < 200 && releases === 0; attempt += 1) {
      tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (releases === 0) throw new Error('no key was released');
  };
  return { wrapStore, released, fill: () => void (isFull = true), free: () => void (isFull = false) };
}

async function waitForStatus(app: TestApp, id: string, status: string, tick: () => void): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await findGeneration(app, id))?.status === status) return;
    tick();
  }
  throw new Error(`never became ${status}`);
}

describe('a temporarily full disk', () => {
  test('loses no output of a chat that ends meanwhile', async () => {
    const clock = createManualClock();
    const disk = createDisk();
    await using scripted = await startScripted({ overrides: { clock, wrapStore: disk.wrapStore } });
    const { app, gateway } = scripted;
    const events = streamChat(app.wsClient(), { input: ask('Hello'), idempotencyKey: 'k' });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const seen = [await first];
    const id = seen[0]?.generationId ?? '';
    disk.fill();
    exchange.send(...words('a', 'b'), '[DONE]');
    while (foldedText(seen) !== 'ab') seen.push(await nextEvent(events));
    expect(await findGeneration(app, id)).toMatchObject({ status: 'RUNNING' });
    disk.free();
    await waitForStatus(app, id, 'SUCCEEDED', () => clock.advance(500));
    expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCompleted');
    // From the record, after the log has expired.
    clock.advance(120_000);
    const recorded = await toEnd(chatEvents(app.wsClient(), { id }));
    expect(foldedText(recorded)).toBe('ab');
    expect(recorded.at(-1)?.__typename).toBe('ChatCompleted');
  });

  test('gives an accepted chat to those who retry with its key', async () => {
    const clock = createManualClock();
    const disk = createDisk();
    await using scripted = await startScripted({ overrides: { clock, wrapStore: disk.wrapStore } });
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    disk.fill();
    exchange.accept();
    await expect(starting).rejects.toThrow(/RECORDS_UNAVAILABLE/);
    // It runs here, although the records do not have it yet.
    const repeated = made(await startChat(app, { input: ask('Hello'), idempotencyKey: 'k' }));
    expect(repeated.status).toBe('RUNNING');
    exchange.send(...words('a'), '[DONE]');
    exchange.end();
    await exchange.closed;
    disk.free();
    const find = async () => made(await startChat(app, { input: ask('Hello'), idempotencyKey: 'k' }));
    let id = '';
    for (let attempt = 0; attempt < 200 && id === ''; attempt += 1) {
      clock.advance(15_000);
      id = await find().then(
        (generation) => generation.id,
        () => '',
      );
    }
    await waitForStatus(app, id, 'SUCCEEDED', () => clock.advance(15_000));
    expect(foldedText(await toEnd(chatEvents(app.wsClient(), { id })))).toBe('a');
    expect(gateway.requests).toHaveLength(1);
    expect(app.app.activity.streams).toBe(0);
  });
});

describe('a key that cannot be released because the disk is full', () => {
  const hello = { input: ask('Hello'), idempotencyKey: 'k' };
  const unavailable = /RECORDS_UNAVAILABLE/;

  async function start() {
    const clock = createManualClock();
    const disk = createDisk();
    const scripted = await startScripted({ overrides: { clock, wrapStore: disk.wrapStore } });
    onTestFinished(() => scripted[Symbol.asyncDispose]());
    return { ...scripted, clock, disk };
  }
  test('is free as soon as the disk has room, for a create that was not sent', async () => {
    const { app, gateway, disk } = await start();
    disk.fill();
    await expect(startChat(app, hello)).rejects.toThrow(unavailable);
    // A retry gets the same error, not an unknown outcome.
    await expect(startChat(app, hello)).rejects.toThrow(unavailable);
    disk.free();
    // The input may differ from the create that was not sent.
    const creating = startChat(app, { ...hello, input: ask('Bye') });
    (await gateway.exchange(0)).send(...words('a'), '[DONE]');
    made(await creating);
    expect(gateway.requests).toHaveLength(1);
  });

  test('is free after a claim that was written although the write reported a failure', async () => {
    let hasFailed = false;
    const wrapStore = (store: Store): Store => ({
      ...store,
      async claim(...parameters) {
        const holder = await store.claim(...parameters);
        if (hasFailed) return holder;
        hasFailed = true;
        throw new RecordsUnavailableError('The records cannot be used: gone for a moment');
      },
    });
    await using scripted = await startScripted({ overrides: { wrapStore } });
    const { app, gateway } = scripted;
    await expect(startChat(app, hello)).rejects.toThrow(unavailable);
    const creating = startChat(app, hello);
    (await gateway.exchange(0)).send(...words('a'), '[DONE]');
    made(await creating);
    expect(gateway.requests).toHaveLength(1);
  });

  test('is released without another request for it', async () => {
    const { app, gateway, disk, clock } = await start();
    disk.fill();
    await expect(startChat(app, hello)).rejects.toThrow(unavailable);
    disk.free();
    await disk.released(() => clock.advance(15_000));
    expect(await cancelGeneration(app, { idempotencyKey: 'k' })).toMatchObject({
      __typename: 'NotFoundError',
    });
    expect(gateway.requests).toHaveLength(0);
  });

  test('stays with a create that its client cancels meanwhile, and that is never sent', async () => {
    const { app, gateway, disk, clock } = await start();
    disk.fill();
    await expect(startChat(app, hello)).rejects.toThrow(unavailable);
    disk.free();
    expect(await cancelGeneration(app, { idempotencyKey: 'k' })).toMatchObject({ status: 'CANCELED' });
    await disk.released(() => clock.advance(15_000));
    expect(made(await startChat(app, hello))).toMatchObject({ status: 'CANCELED' });
    expect(gateway.requests).toHaveLength(0);
  });

  test('does not hide the refusal of a create, and is free once the disk has room', async () => {
    const { app, gateway, disk } = await start();
    const creating = startChat(app, hello);
    const exchange = await gateway.exchange(0);
    disk.fill();
    exchange.reply(429, { error: { message: 'slow down' } });
    expect(refused(await creating).code).toBe('RATE_LIMITED');
    await expect(startChat(app, hello)).rejects.toThrow(unavailable);
    disk.free();
    const again = startChat(app, hello);
    (await gateway.exchange(1)).send(...words('a'), '[DONE]');
    made(await again);
  });

  test('is free after a late refusal, and the chat records its failure', async () => {
    const { app, gateway, disk, clock } = await start();
    const starting = startChat(app, hello);
    const exchange = await gateway.exchange(0);
    await clock.waitForTimer(10_000);
    clock.advance(10_000);
    const { id } = made(await starting);
    const events = toEnd(chatEvents(app.wsClient(), { id }));
    disk.fill();
    exchange.reply(429, { error: { message: 'slow down' } });
    await exchange.closed;
    disk.free();
    await waitForStatus(app, id, 'FAILED', () => clock.advance(500));
    expect((await events).at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'RATE_LIMITED' },
    });
    const again = startChat(app, hello);
    (await gateway.exchange(1)).send(...words('a'), '[DONE]');
    expect(made(await again).id).not.toBe(id);
  });
});
