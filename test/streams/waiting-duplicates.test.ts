import { expect, test } from 'vitest';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { startInstances } from '../support/instances.ts';
import { words } from '../support/scripted-gateway.ts';

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
