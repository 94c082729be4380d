import { expect, test } from 'vitest';
import { AwaitGenerationDocument, GenerationChangedDocument } from '../../src/client/documents.generated.ts';
import { subscribe } from '../support/app.ts';
import { ask, made, startChat } from '../support/chats.ts';
import { startInstances } from '../support/instances.ts';
import { words } from '../support/scripted-gateway.ts';

test('changes whose messages were lost are found when their reader reconnects, or when their sender is dead', async () => {
  const { first, second, gateway, records } = await startInstances(2);
  const events = subscribe(second.wsClient(), GenerationChangedDocument, {});
  const change = events.next();
  await expect.poll(() => second.app.activity.feeds).toBe(1);
  await records.query(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
  await records.query(
    'create trigger lose before insert on instance_messages_1 for each row execute function lose()',
  );
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  await records.query(
    `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`,
  );
  expect((await change).value?.data?.generationChanged).toMatchObject({ generationId: id });
  const awaited = second.run(AwaitGenerationDocument, { by: { id }, timeoutSeconds: 300 });
  await expect.poll(() => second.app.activity.feeds).toBe(2);
  exchange.send(...words('a'), '[DONE]');
  await expect
    .poll(() => records.query("select id from generations where status = 'SUCCEEDED'"))
    .toHaveLength(1);
  // As if it had been killed after this commit.
  await records.query('create trigger dead before insert on instances for each row execute function lose()');
  await records.query('delete from instances where id in (select instance_id from creations)');
  expect((await awaited).data?.awaitGeneration).toMatchObject({ id, status: 'SUCCEEDED' });
});
