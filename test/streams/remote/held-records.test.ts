import { expect, test } from 'vitest';
import { ask, made, startChat } from '../../support/chats.ts';
import { sandboxKey } from '../../support/app.ts';
import { heldBytes } from '../../support/held-bytes.ts';
import { startInstances } from '../../support/instances.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { words } from '../../support/scripted-gateway.ts';

const prompt = 'word of prose\n'.repeat(1_000_000 / 14);

test('watchers of a chat on another server do not hold its record', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, { input: ask(prompt), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  exchange.send(...words('a'));
  const socket = await openRawSocket(second.url);
  await socket.init(sandboxKey);
  const query = `subscription { chatEvents(id: "${id}") { sequence } }`;
  const open = async (name: string): Promise<void> => {
    socket.subscribe(name, query);
    await socket.waitForMessage(name);
  };
  await open('first');
  const before = await heldBytes();
  const watchers = 10;
  for (let index = 0; index < watchers; index += 1) await open(String(index));
  expect((await heldBytes()) - before).toBeLessThan((watchers * prompt.length) / 2);
  exchange.send('[DONE]');
});
