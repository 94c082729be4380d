import { expect, test } from 'vitest';
import { GenerationChangedDocument } from '../../src/client/documents.generated.ts';
import { subscribe } from '../support/app.ts';
import { ask, made, startChat } from '../support/chats.ts';
import { startInstances } from '../support/instances.ts';

test('a feed has the changes whose messages expired, or were lost in a crash, while its server had no connection', async () => {
  const { first, second, gateway, records } = await startInstances(2);
  const events = subscribe(second.wsClient(), GenerationChangedDocument, {});
  const change = events.next();
  await expect.poll(() => second.app.activity.feeds).toBe(1);
  await records.query(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
  await records.query(
    'create trigger lose before insert on instance_messages_1 for each row execute function lose()',
  );
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  (await gateway.exchange(0)).accept();
  const { id } = made(await starting);
  await records.query(
    `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`,
  );
  expect((await change).value?.data?.generationChanged).toMatchObject({ generationId: id });
});
