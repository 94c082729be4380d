import { expect, test } from 'vitest';
import { ask, cancelGeneration, createChatCompletion, made, refused } from '../support/chats.ts';
import { startInstances } from '../support/instances.ts';

test('the end of a generation is logged by the server that recorded it, not by another one that was asked to cancel it', async () => {
  const ended: unknown[] = [];
  const { first, second, gateway } = await startInstances(2, {
    onLog: ({ msg, generationId, status }) => {
      if (msg === 'generation ended') ended.push([generationId, status]);
    },
  });
  const creating = createChatCompletion(first, { input: ask('Hello'), idempotencyKey: 'k' });
  (await gateway.exchange(0)).cut();
  const id = refused(await creating).generation?.id;
  expect(ended).toEqual([[id, 'UNKNOWN']]);
  for (const app of [first, second])
    expect(made(await cancelGeneration(app, { idempotencyKey: 'k' }))).toMatchObject({ status: 'UNKNOWN' });
  expect(ended).toHaveLength(1);
});
