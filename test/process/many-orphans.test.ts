import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ask, findGeneration, made, startChat } from '../support/chats.ts';
import { createDirectory, startDurableServer } from '../support/durable-server.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const orphanCount = 15_000;

interface Copies {
  readonly id: string;
  /** SQL expression. */
  readonly owner: string;
  readonly count: number;
}

/** Copies an open generation, as if an instance that is gone had produced the copies. */
function copyOpenGeneration(records: DatabaseSync, { id, owner, count }: Copies): void {
  const columns = 'kind, status, model, group_id, created_at, finished_at, is_visible, task_id, instance_id';
  records.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into generations (id, owner, ${columns})
    select 'generation_' || n, ${owner}, ${columns.replace('instance_id', "'instance_'")}
    from numbers, generations where id = '${id}'
  `);
}

/** A server that crashed while it ran a chat. */
async function crash() {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const location = { directory, gatewayUrl: gateway.url };
  const first = await startDurableServer(location);
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  (await gateway.exchange(0)).send(...words('a'));
  const { id } = made(await starting);
  await first.crash();
  const records = new DatabaseSync(join(directory, 'gengraph.db'), { timeout: 30_000 });
  onTestFinished(() => records.close());
  return { gateway, location, records, id };
}

test('a start with thousands of open records answers an owner as soon as its own records are settled', async () => {
  const { gateway, location, records, id } = await crash();
  // The chats of another owner come first in the index of instances.
  copyOpenGeneration(records, { id, owner: "'someone'", count: orphanCount });
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

test('an owner with thousands of open records waits for seconds at most', async () => {
  const { location, records, id } = await crash();
  copyOpenGeneration(records, { id, owner: 'owner', count: 2 * orphanCount });
  const second = await startDurableServer(location);
  const startedAt = performance.now();
  const found = await findGeneration(second, id);
  expect(found).toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
