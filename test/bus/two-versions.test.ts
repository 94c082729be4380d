import { expect, test } from 'vitest';
import { GenerationsDocument } from '../../src/client/documents.generated.ts';
import type { TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startInstances } from '../support/instances.ts';
import { words } from '../support/scripted-gateway.ts';
import { upgrade } from '../support/upgrade.ts';

async function listIds(app: TestApp): Promise<readonly string[]> {
  const { data } = await app.run(GenerationsDocument, {});
  return data?.generations?.edges.map(({ node }) => node.id) ?? [];
}

test('servers from before and after an additive change of the tables serve the same chats, creates and lists', async () => {
  const { first, gateway, records, start } = await startInstances(2);
  const named = (key: string) => ({ input: ask(`Hello, ${key}`), idempotencyKey: key });
  const starting = startChat(first, named('running'));
  const running = await gateway.exchange(0);
  running.send(...words('a'));
  const { id } = made(await starting);
  await upgrade('PostgreSQL', records, { isAdditive: true }, [
    'generations',
    'creations',
    'tasks',
    'instances',
  ]);
  const late = await start();

  const events = chatEvents(late.wsClient(), { id });
  const seen = [await nextEvent(events)];
  running.send(...words('b'), '[DONE]');
  expect(foldedText([...seen, ...(await toEnd(events))])).toBe('ab');
  expect(made(await startChat(late, named('running'))).id).toBe(id);

  const creating = createChatCompletion(late, named('whole'));
  (await gateway.exchange(1)).reply(200, { choices: [{ message: { content: 'Hi' } }] });
  const whole = made(await creating);
  expect(await createChatCompletion(first, named('whole'))).toEqual(whole);

  const canceling = startChat(late, named('canceled'));
  const canceled = await gateway.exchange(2);
  canceled.send(...words('a'));
  const { id: canceledId } = made(await canceling);
  expect(made(await cancelGeneration(first, { id: canceledId }))).toMatchObject({ status: 'CANCELED' });
  await canceled.closed;
  for (const app of [first, late]) {
    expect(await listIds(app)).toEqual([canceledId, whole.id, id]);
    expect(await findGeneration(app, id)).toMatchObject({ status: 'SUCCEEDED' });
  }
  expect(gateway.requests).toHaveLength(3);
});
