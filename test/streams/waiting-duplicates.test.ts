import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made, nextEvent, streamChat, toEnd } from '../support/chats.ts';
import { createHeldMethod } from '../support/held-method.ts';
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

/** A server that cannot claim yet, after its client has left. */
async function leaveSlowServer() {
  const { first, gateway, start } = await startInstances(2);
  const { wrapStore, called, release } = createHeldMethod('claim');
  onTestFinished(() => release());
  const slow = await start({ overrides: { wrapStore } });
  // As the stock client does after a lost connection: the same operation id again.
  const id = randomUUID();
  const subscribe = (app: TestApp) => {
    const client = app.wsClient({ generateID: () => id });
    return { client, events: streamChat(client, { input: ask('Hello') }) };
  };
  const left = subscribe(slow);
  left.events.next().catch(() => {});
  await called;
  left.client.terminate();
  await expect.poll(() => slow.app.activity.sockets).toBe(0);
  return { first, slow, gateway, subscribe, release };
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

test('a create without a key is sent once for a client that has come back to the same server', async () => {
  const { slow, gateway, subscribe, release } = await leaveSlowServer();
  const events = toEnd(subscribe(slow).events);
  await expect.poll(() => slow.app.activity.sockets).toBe(1);
  release();
  (await gateway.exchange(0)).send(...words('a'), '[DONE]');
  expect((await events).at(-1)?.__typename).toBe('ChatCompleted');
  expect(gateway.requests).toHaveLength(1);
});
