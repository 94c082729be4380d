import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ask, findGeneration, made, startChat } from '../support/chats.ts';
import { createDirectory, startDurableServer } from '../support/durable-server.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const orphanCount = 15_000;

test('a start with thousands of open records answers an owner as soon as its own records are settled', async () => {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const location = { directory, gatewayUrl: gateway.url };
  const first = await startDurableServer(location);
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  (await gateway.exchange(0)).send(...words('a'));
  const { id } = made(await starting);
  await first.crash();
  const records = new DatabaseSync(join(directory, 'gengraph.db'), { timeout: 30_000 });
  onTestFinished(() => records.close());
  const columns = 'kind, status, model, group_id, created_at, finished_at, is_visible, task_id, instance_id';
  // The chats of another owner come first in the index of instances.
  records.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${orphanCount})
    insert into generations (id, owner, ${columns})
    select 'generation_' || n, 'someone', ${columns.replace('instance_id', "'instance_'")}
    from numbers, generations where id = '${id}'
  `);
  const open = records.prepare('select count(*) as count from generations where instance_id is not null');
  const second = await startDurableServer(location);
  expect(await findGeneration(second, id)).toMatchObject({
    status: 'FAILED',
    error: { code: 'INTERRUPTED' },
  });
  expect(open.get()?.['count']).toBeGreaterThan(0);
  await expect.poll(() => open.get()?.['count']).toBe(0);
  const failed = records.prepare("select count(*) as count from generations where status = 'FAILED'");
  expect(failed.get()).toEqual({ count: orphanCount + 1 });
  expect(gateway.requests).toHaveLength(1);
});
