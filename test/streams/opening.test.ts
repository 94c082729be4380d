import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ask, chatEvents, refused, startChat, toEnd } from '../support/chats.ts';
import { createHeldClaim } from '../support/held-claim.ts';
import { createHeldMethod } from '../support/held-method.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const claim = createHeldClaim();
const refusal = createHeldMethod('release');

test.each([
  { phase: 'before it is sent', held: claim, reached: claim.claimed, end: 'ChatCompleted' },
  { phase: 'while its refusal is recorded', held: refusal, reached: refusal.called, end: 'NOT_FOUND' },
] as const)('a watcher of a chat that comes $phase gets its end', async ({ held, reached, end }) => {
  let onRead = (): void => {};
  const wrapStore = (store: Store): Store => ({
    ...held.wrapStore(store),
    async findSummaries(...args) {
      const found = await store.findSummaries(...args);
      onRead();
      return found;
    },
  });
  await using scripted = await startScripted({ overrides: { wrapStore } });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'k' });
  const isRefused = held === refusal;
  if (isRefused) (await gateway.exchange(0)).reply(429, { error: { message: 'Slow down.' } });
  await reached;
  const { generation } = refused(await startChat(app, { input: ask('Other'), idempotencyKey: 'k' }));
  const read = Promise.withResolvers<void>();
  onRead = read.resolve;
  const events = toEnd(chatEvents(app.wsClient(), { id: generation?.id ?? '' }));
  await read.promise;
  held.release();
  if (!isRefused) (await gateway.exchange(0)).send(...words('a'), '[DONE]');
  expect(await events.then((all) => all.at(-1)?.__typename, String)).toContain(end);
  await starting;
});
