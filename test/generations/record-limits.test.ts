import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  GenerationDocument,
  ViewerDocument,
} from '../../src/client/documents.generated.ts';
import type { Store } from '../../src/store/store.ts';
import { sandboxKey, startApp, subscribe, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made, refused, startChat } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { connectTo, createDatabase } from '../support/postgres.ts';
import { createRecords, engines } from '../support/records.ts';
import { startScripted } from '../support/scripted-gateway.ts';

const ann = { ...sandboxKey, 'x-end-user': 'ann' };
const reply = { choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] };

async function start(env: Readonly<Record<string, string>>) {
  const gateway = await startFakeGateway((_request, response) => sendJson(response, reply));
  return { gateway, app: await startApp({ gatewayUrl: gateway.url, env }) };
}

const create = (app: TestApp, idempotencyKey: string, content = 'Hello') =>
  createChatCompletion(app, { input: ask(content), idempotencyKey });

/** Creates with the keys from `k${start}` in one operation. Returns the extensions of the errors. */
async function createMany(app: TestApp, start: number, amount: number) {
  const fields = Array.from({ length: amount }, (_, index) => {
    const key = `k${start + index}`;
    return `${key}: createChatCompletion(input: $input, idempotencyKey: "${key}") { __typename }`;
  });
  const { errors = [] } = await app.run(`mutation ($input: ChatInput!) { ${fields.join(' ')} }`, {
    input: ask('Hello'),
  });
  return errors.map(({ extensions }) => extensions);
}

async function count(app: TestApp): Promise<number> {
  const { data } = await app.run<{ generations: { totalCount: number } }, object>(
    '{ generations { totalCount } }',
  );
  return data?.generations.totalCount ?? -1;
}

test('one owner that creates 200 generations stays at the limit', { timeout: 300_000 }, async () => {
  const maxRecords = 40;
  const { gateway, app } = await start({ MAX_RECORDS_PER_OWNER: String(maxRecords) });
  await using _app = app;
  const theirs = made(await createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'k' }, ann));
  for (let start = 0; start < 200; start += 20) await createMany(app, start, 20);
  expect(gateway.requests).toHaveLength(201);
  expect(await count(app)).toBeLessThanOrEqual(maxRecords);
  expect(await count(app)).toBeGreaterThan(36);

  // The newest record is there, and its key finds it. The key of a deleted record sends nothing.
  expect(made(await create(app, 'k199')).status).toBe('SUCCEEDED');
  const [extensions] = await createMany(app, 0, 1);
  expect(extensions).toMatchObject({ code: 'NOT_FOUND', retry: 'MAY_CHARGE_AGAIN' });
  expect(refused(await create(app, 'k0', 'another input')).code).toBe('IDEMPOTENCY_CONFLICT');
  const by = { by: { idempotencyKey: 'k0' } };
  expect(await app.run(GenerationDocument, by)).toEqual({ data: { generation: null } });
  expect(gateway.requests).toHaveLength(201);

  const own = await app.run(GenerationDocument, { by: { id: theirs.id } }, { headers: ann });
  expect(own.data?.generation?.id).toBe(theirs.id);
});

test('the file of the records reuses the space of deleted ones', async () => {
  const directory = await createDirectory();
  const { app } = await start({ DATA_DIR: directory, MAX_RECORDS_PER_OWNER: '10' });
  await using _app = app;
  const measure = async (name: string) => (await stat(join(directory, name))).size;
  const text = 'word '.repeat(40_000);
  let turn = 0;
  const createNext = async () => made(await create(app, `k${(turn += 1)}`, text));
  while (turn < 50) await createNext();
  // A second after a commit, a log from 16 MB on moves into the database. Then it starts again, and does not grow. A record takes 400 KB.
  const grow = async (): Promise<number> => {
    const before = await measure('gengraph.db-wal');
    await createNext();
    return (await measure('gengraph.db-wal')) - before;
  };
  await expect.poll(grow, { timeout: 20_000, interval: 200 }).toBe(0);
  expect(await measure('gengraph.db')).toBeLessThan(15_000_000);
});

test('the deletion of an old generation is reported', async () => {
  const { app } = await start({ MAX_RECORDS_PER_OWNER: '2' });
  await using _app = app;
  const feed = subscribe(app.wsClient(), GenerationChangedDocument, {});
  const opened = feed.next();
  while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
  const first = made(await create(app, 'a'));
  await opened;
  for (const key of ['b', 'c']) made(await create(app, key));
  const changes: unknown[] = [];
  for await (const { data } of feed) {
    changes.push(data?.generationChanged);
    if (data?.generationChanged.__typename === 'GenerationDeleted') break;
  }
  expect(changes.at(-1)).toMatchObject({ __typename: 'GenerationDeleted', generationId: first.id });
});

test('if nothing has ended, a create is refused and not sent', async () => {
  await using scripted = await startScripted({ env: { MAX_RECORDS_PER_OWNER: '2' } });
  const { app, gateway } = scripted;
  const starting = ['a', 'b'].map((key) => startChat(app, { input: ask('Hello'), idempotencyKey: key }));
  const exchanges = [await gateway.exchange(0), await gateway.exchange(1)];
  for (const exchange of exchanges) exchange.accept();
  const ids = (await Promise.all(starting)).map((result) => made(result).id);
  for (const key of ['c', 'd'])
    expect(refused(await startChat(app, { input: ask('Hello'), idempotencyKey: key }))).toMatchObject({
      code: 'RATE_LIMITED',
      retry: 'LATER',
      retryAfterSeconds: 10,
      message: expect.stringMatching(/2 generations, \d+ bytes.*Nothing was sent/),
    });
  expect(gateway.requests).toHaveLength(2);
  // A duplicate of a running create is answered, and another owner is not affected.
  expect(made(await startChat(app, { input: ask('Hello'), idempotencyKey: 'a' })).id).toBeOneOf(ids);
  const theirs = startChat(app, { input: ask('Hello') }, ann);
  (await gateway.exchange(2)).accept();
  made(await theirs);

  const forgotten = await app.run(DeleteGenerationsDocument, { ids });
  expect(forgotten.data?.deleteGenerations?.deletedIds).toEqual([]);
  await app.run('mutation ($id: ID!) { cancelGeneration(by: { id: $id }) { __typename } }', { id: ids[0] });
  const later = startChat(app, { input: ask('Hello'), idempotencyKey: 'c' });
  (await gateway.exchange(3)).accept();
  expect(made(await later).status).toBe('RUNNING');
});

test('creates that wait until their owner has room keep no connection from other owners', async () => {
  const url = await createDatabase();
  const { app } = await start({ DATABASE_URL: url, DATABASE_POOL_SIZE: '3', MAX_RECORDS_PER_OWNER: '1' });
  await using _app = app;
  made(await create(app, 'first'));
  const { data } = await app.run(ViewerDocument, {});
  // As another server that makes room holds it.
  const locker = await connectTo(url);
  const name = JSON.stringify(['room', data?.viewer?.owner]);
  await locker.query('begin');
  await locker.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  const ended = Promise.allSettled(Array.from({ length: 6 }, (_, index) => create(app, `k${index}`)));
  await expect
    .poll(async () => (await locker.query('select 1 from pg_locks where not granted')).rows.length)
    .toBeGreaterThan(0);
  made(await createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'k' }, ann));
  await locker.query('rollback');
  await ended;
});

test('a create without room has claimed nothing, so no key is released later', async () => {
  const clock = createManualClock();
  const released: string[] = [];
  const wrapStore = (store: Store): Store => ({
    ...store,
    release(creationId, options) {
      released.push(creationId);
      return store.release(creationId, options);
    },
  });
  await using scripted = await startScripted({
    env: { MAX_RECORDS_PER_OWNER: '1' },
    overrides: { clock, wrapStore },
  });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'a' });
  (await gateway.exchange(0)).accept();
  made(await starting);
  const second = await startChat(app, { input: ask('Hello'), idempotencyKey: 'b' });
  expect(refused(second).code).toBe('RATE_LIMITED');
  clock.advance(60_000);
  expect(released).toEqual([]);
});

test('the bytes of an owner are limited', async () => {
  const { app } = await start({ MAX_RECORD_BYTES_PER_OWNER: '1048576' });
  await using _app = app;
  const ids: string[] = [];
  for (let turn = 0; turn < 6; turn += 1)
    ids.push(made(await create(app, `k${turn}`, 'x '.repeat(100_000))).id);
  const found = await Promise.all(ids.map((id) => app.run(GenerationDocument, { by: { id } })));
  // A record has the prompt and the request that contains it.
  expect(found.map(({ data }) => data?.generation?.id)).toEqual(
    [null, null, null, ...ids.slice(3)].map((id) => id ?? undefined),
  );
});

test.each(engines)('%s: callers whose credential the gateway refuses leave no record', async (engine) => {
  const records = await createRecords(engine);
  await using app = await startApp({ env: records.env });
  for (const key of ['sk-1', 'sk-2', 'sk-3']) {
    const headers = { authorization: `Bearer ${key}` };
    refused(await createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'k' }, headers));
  }
  const tables = ['creations', 'generations', 'contents', 'usage_days', 'owner_changes', 'owner_records'];
  const left = await Promise.all(tables.map((table) => records.query(`select * from ${table}`)));
  expect(left.flat()).toEqual([]);
});
