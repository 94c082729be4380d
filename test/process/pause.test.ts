import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ask, chatEvents, findGeneration, made, startChat, toEnd } from '../support/chats.ts';
import { createDirectory, startDurableServer } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

test('a server that is paused past its lease keeps its chats', async () => {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const location = { directory, gatewayUrl: gateway.url };
  const first = await startDurableServer(location);
  const second = await startDurableServer(location);
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  first.program.kill('SIGSTOP');
  onTestFinished(() => first.program.kill('SIGCONT'));
  const records = new DatabaseSync(join(directory, 'gengraph.db'), { timeout: 30_000 });
  onTestFinished(() => records.close());
  // The leases of both have expired, and another instance has died: its row goes when the second server recovers.
  records.exec("insert into instances values ('instance_dead', 0); update instances set expires_at = 0");
  const dead = records.prepare("select id from instances where id = 'instance_dead'");
  await expect.poll(() => dead.get()).toBeUndefined();
  expect(await findGeneration(second, id)).toMatchObject({ status: 'RUNNING', error: null });
  first.program.kill('SIGCONT');
  exchange.send(...words('b'), '[DONE]');
  expect(foldedText(await toEnd(chatEvents(first.wsClient(), { id })))).toBe('ab');
  expect(await findGeneration(second, id)).toMatchObject({ status: 'SUCCEEDED', error: null });
  expect(gateway.requests).toHaveLength(1);
});
