import { expect, test } from 'vitest';
import { ask, made, startChat } from '../support/chats.ts';
import { startDatabaseServer } from '../support/database-server.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

test('a server with running chats ends within five seconds after its deadline while the database is down', async () => {
  const [database, gateway] = [await startDatabaseServer(), await startScriptedGateway()];
  const server = await startDurableServer({
    gatewayUrl: gateway.url,
    env: { DATABASE_URL: database.url, SHUTDOWN_SECONDS: '1', LOG_LEVEL: 'silent' },
  });
  for (let index = 0; index < 3; index += 1) {
    const starting = startChat(server, { input: ask('Hello'), idempotencyKey: `k${index}` });
    (await gateway.exchange(index)).send(...words('one '));
    made(await starting);
  }
  await database.stop();
  const stoppedAt = performance.now();
  server.program.kill('SIGTERM');
  expect(await server.program.exited).toEqual({ code: 0, signal: null });
  // With ten seconds for a busy machine. Without the limit it waits for the database.
  expect(performance.now() - stoppedAt).toBeLessThan(1000 + 5000 + 10_000);
}, 120_000);
