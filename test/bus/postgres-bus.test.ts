import { expect, test } from 'vitest';
import {
  AwaitGenerationDocument,
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  type GenerationChangedSubscription,
} from '../../src/client/documents.generated.ts';
import { subscribe, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made, startChat } from '../support/chats.ts';
import { createInbox } from '../support/inbox.ts';
import { startInstances } from '../support/instances.ts';
import { withoutTimersOf } from '../support/clock-without-timers.ts';
import { words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

type Change = GenerationChangedSubscription['generationChanged'];

/** Collects the changes that a server reports. Resolves when the server has subscribed. */
async function followChanges(app: TestApp) {
  const changes = createInbox<Change>();
  const events = subscribe(app.wsClient(), GenerationChangedDocument, {});
  void (async () => {
    for await (const { data } of events) if (data) changes.push(data.generationChanged);
  })().catch(() => {});
  await expect.poll(() => app.app.activity.feeds).toBe(1);
  return changes;
}

test('a change on one server reaches the feeds of all', async () => {
  const { apps, first, gateway } = await startInstances(3);
  const feeds = await Promise.all(apps.map(followChanges));
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'), '[DONE]');
  const { id } = made(await starting);
  for (const feed of feeds)
    await feed.when((all) =>
      all.some(
        (change) => change.__typename === 'GenerationChanged' && change.generation.status === 'SUCCEEDED',
      ),
    );
  await first.run(DeleteGenerationsDocument, { ids: [id] });
  for (const feed of feeds)
    await feed.when((all) => all.some((change) => change.__typename === 'GenerationDeleted'));
});

test('awaitGeneration returns when another server ends the generation', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  const awaited = second.run(AwaitGenerationDocument, { by: { id }, timeoutSeconds: 60 });
  await expect.poll(() => second.app.activity.feeds).toBe(1);
  exchange.send(...words('a'), '[DONE]');
  expect((await awaited).data?.awaitGeneration).toMatchObject({ id, status: 'SUCCEEDED' });
});

test('a duplicate of a create waits for another server without repeated reads, and gets its result', async () => {
  const { first, second, gateway, records } = await startInstances(2, {
    overrides: { clock: withoutTimersOf(2000) },
  });
  const original = createChatCompletion(first, hello);
  const exchange = await gateway.exchange(0);
  const duplicate = createChatCompletion(second, hello);
  await expect.poll(() => second.app.activity.feeds).toBe(1);
  // No end is published for it: only the message of the first server wakes it, not the read every two seconds.
  exchange.reply(200, { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] });
  const { id } = made(await original);
  expect(made(await duplicate).id).toBe(id);
  expect(gateway.requests).toHaveLength(1);
  expect(await records.query('select id from creations')).toHaveLength(1);
});
