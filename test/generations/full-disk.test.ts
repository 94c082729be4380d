import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { TestApp } from '../support/app.ts';
import {
  ask,
  chat,
  chatStream,
  findGeneration,
  made,
  nextEvent,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

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
