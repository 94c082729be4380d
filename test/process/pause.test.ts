import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxKey } from '../support/app.ts';
import { openStuckSocket, sendBigReply, type SoFar, textOf } from '../support/big-reply.ts';
import { startBuilt } from '../support/built-program.ts';
import {
  ask,
  chatEvents,
  findGeneration,
  made,
  nextEvent,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { createDirectory, startDurableServer } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

test('a server that is paused keeps its chats, and no other one starts on its records', async () => {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const location = { directory, gatewayUrl: gateway.url };
  const first = await startDurableServer(location);
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  first.program.kill('SIGSTOP');
  onTestFinished(() => first.program.kill('SIGCONT'));
  const records = new DatabaseSync(join(directory, 'gengraph.db'), { timeout: 30_000 });
  onTestFinished(() => records.close());
  const row = records.prepare('select status, error from generations where id = ?');
  const second = startBuilt([], { env: { DATA_DIR: directory } });
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(row.get(id)).toMatchObject({ status: 'RUNNING', error: null });
  first.program.kill('SIGCONT');
  exchange.send(...words('b'), '[DONE]');
  expect(foldedText(await toEnd(chatEvents(first.wsClient(), { id })))).toBe('ab');
  expect(await findGeneration(first, id)).toMatchObject({ status: 'SUCCEEDED', error: null });
  expect(row.get(id)).toMatchObject({ status: 'SUCCEEDED', error: null });
  expect(gateway.requests).toHaveLength(1);
});

/** Longer than every timeout below, also with its allowance for data in transit. */
const pauseMs = 7000;

test('a pause of the process ends no chat and no socket: what arrived meanwhile is read first', async () => {
  const gateway = await startScriptedGateway();
  const server = await startDurableServer({
    directory: await createDirectory(),
    gatewayUrl: gateway.url,
    env: {
      WEBSOCKET_PING_SECONDS: '0.8',
      GATEWAY_STALL_SECONDS: '3',
      GATEWAY_TIMEOUT_SECONDS: '3',
      CHAT_DETACH_SECONDS: '3',
    },
  });
  const big = await sendBigReply({ app: server, gateway }, sandboxKey);
  // The end of this client's socket would be the end of its chats.
  const watcher = server.wsClient({ retryAttempts: 0 });
  const chats = ['x', 'y'].map((key) =>
    toEnd(streamChat(watcher, { input: ask(`Hello ${key}`), idempotencyKey: key })),
  );
  const exchanges = [await gateway.exchange(1), await gateway.exchange(2)];
  for (const exchange of exchanges) exchange.send(...words('a'));
  const leaving = streamChat(server.wsClient(), { input: ask('Nobody watches') });
  const abandoned = await gateway.exchange(3);
  abandoned.send(...words('a'));
  const id = (await nextEvent(leaving)).generationId ?? '';
  await leaving.return?.();
  const slow = await openStuckSocket(server, [big.query]);
  // A round trip: the server has sent to the slow client what its socket takes.
  await findGeneration(server, id);

  server.program.kill('SIGSTOP');
  onTestFinished(() => server.program.kill('SIGCONT'));
  exchanges[0]?.send(...words('b'));
  await wait(pauseMs);
  server.program.kill('SIGCONT');

  const late = toEnd(chatEvents(server.wsClient(), { id }));
  expect(await findGeneration(server, id)).toMatchObject({ status: 'RUNNING' });
  for (const exchange of [...exchanges, abandoned]) exchange.send(...words('c'), '[DONE]');
  // Either chat may be the first at the gateway.
  expect((await Promise.all(chats)).map(foldedText).toSorted()).toEqual(['abc', 'ac']);
  expect(foldedText(await late)).toBe('ac');
  slow.resume();
  const received = await Promise.race([slow.waitForMessage('0'), slow.closed]);
  expect('payload' in received && textOf(received.payload as { data: SoFar }) === big.text).toBe(true);
  expect(gateway.requests).toHaveLength(4);
}, 30_000);
