import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { migrate } from '../../src/store/sql/migrations/migrations.ts';
import { createWebhookRecords } from '../../src/store/sql/outgoing/create-webhook-records.ts';
import { pieceSize } from '../../src/store/sql/outgoing/delivery-pieces.ts';
import { createWebhookSetup } from '../../src/store/sql/outgoing/set-up-webhooks.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { createSqliteWrites } from '../../src/store/sqlite/sqlite-writes.ts';
import { keptDeliveries } from '../../src/store/webhook-records.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { owner } from './support.ts';

const count = 2 * pieceSize + 1;

test('no write changes more than a piece of the deliveries of a webhook, and all pieces are written', async () => {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) });
  onTestFinished(() => db.destroy());
  await migrate(db);
  const all = createSqliteWrites({ database, writer: db, lockWait: createLockWait() });
  const totalChanges = database.prepare('select total_changes() as total');
  const total = () => Number(totalChanges.get()?.['total']);
  let largest = 0;
  const statement: typeof all.statement = (write, deadline) =>
    all.statement(async (connection) => {
      const before = total();
      const result = await write(connection);
      largest = Math.max(largest, total() - before);
      return result;
    }, deadline);
  const writes = { ...all, statement, transaction: statement };
  const now = () => sql<number>`100`;
  const records = createWebhookRecords({ reader: db, writes, instanceId: 'i', isShared: false, now });
  const webhook = { id: 'webhook_1', owner, url: 'https://a.example', hasContent: false, sealedSecret: '' };
  await records.insert({ ...webhook, createdAt: 1 }, 1);
  const insertDeliveries = (webhookId: string) =>
    database.exec(`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into webhook_deliveries (webhook_id, event_id, owner, generation_id, kind, status, model, group_id,
        created_at, finished_at, recorded_at, due_at)
      select '${webhookId}', 'evt_' || n, 'o', 'generation_1', 'CHAT', 'FAILED', '"m"', '""', 1, 1, n, 5 from numbers
    `);
  insertDeliveries(webhook.id);
  const countOf = (condition: string) =>
    database.prepare(`select count(*) as count from webhook_deliveries where ${condition}`).get()?.['count'];

  await records.retryAll(webhook.id);
  expect(countOf('due_at = 0')).toBe(count);
  await records.markFailing(webhook.id);
  expect(countOf('failing_since = 100')).toBe(count);
  expect(await records.giveUp(-1)).toBe(count);
  const redelivered = await records.redeliver(webhook.id);
  expect(redelivered.map(({ event }) => event.id)).toEqual(
    Array.from({ length: keptDeliveries }, (_, index) => `evt_${count - index}`),
  );
  expect(countOf(`state = 'PENDING' and due_at = 0`)).toBe(count);
  await records.disable(webhook, 'gone');
  expect(countOf(`state = 'FAILED' and failure = 'gone'`)).toBe(count);
  await records.trim(webhook.id);
  expect(countOf('true')).toBe(100);
  await records.delete(owner, webhook.id);
  expect(countOf('true')).toBe(0);
  await records.insert({ ...webhook, createdAt: 1 }, 1);
  for (const id of [webhook.id, 'operator_removed']) insertDeliveries(id);
  const setup = createWebhookSetup({ reader: db, writes, clock: createManualClock(), instanceId: 'i' });
  await setup.setUpWebhooks({ operator: [], forOwners: true });
  expect([countOf(`webhook_id = 'webhook_1'`), countOf('true')]).toEqual([count, count]);
  expect(largest).toBe(pieceSize);
});
