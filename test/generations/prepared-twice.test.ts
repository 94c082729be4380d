import { expect, test } from 'vitest';
import type { Creation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { chatId, sendChat, userMessage } from '../support/conversations.ts';
import { startScripted } from '../support/scripted-gateway.ts';

const reply = { choices: [{ message: { content: 'a' } }] };

/** A store in which another instance sends the create of a key, until the gateway refuses it. */
function createSharedKey() {
  let creation: Creation | undefined;
  const lookups: (Creation | undefined)[] = [];
  let isShared = false;
  return {
    wrapStore: (store: Store): Store => ({
      ...store,
      async claim(claimed, ...rest) {
        if (claimed.key === undefined || creation) return store.claim(claimed, ...rest);
        creation = claimed;
        throw new Error('the test needs its fingerprint');
      },
      findCreation: async (owner, key) =>
        isShared && lookups.length > 0 ? lookups.shift() : store.findCreation(owner, key),
      async findContents(owner, refs) {
        // The other instance has just deleted the thread.
        const isGone = isShared && lookups.length > 0;
        return isGone ? refs.map(() => undefined) : store.findContents(owner, refs);
      },
    }),
    share(): void {
      if (!creation) throw new Error('there is no create');
      lookups.push(undefined, { ...creation, phase: 'SENDING', instanceId: 'other' }, undefined);
      isShared = true;
    },
    get remaining() {
      return lookups.length;
    },
  };
}

test('a create that reads its thread again, after another instance has tried it, holds it once', async () => {
  const shared = createSharedKey();
  await using scripted = await startScripted({
    env: { MAX_ANSWER_BYTES: '65536', MAX_THREAD_BYTES: '65536' },
    overrides: { wrapStore: shared.wrapStore },
  });
  const { app, gateway } = scripted;
  const made = chatId(app, { messages: [userMessage('long '.repeat(10_000))] });
  (await gateway.exchange(0)).reply(200, reply);
  const input = { continueFrom: await made, messages: [userMessage('go on')] };
  await expect(sendChat(app, input, { idempotencyKey: 'k' })).rejects.toThrow('INTERNAL');
  shared.share();
  const again = sendChat(app, input, { idempotencyKey: 'k' });
  (await gateway.exchange(1)).reply(200, reply);
  expect(await again).toMatchObject({ status: 'SUCCEEDED' });
  expect(shared.remaining).toBe(0);
});
