import { chmod, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { GenerationsDocument } from '../../src/client/documents.generated.ts';
import { retryOptions } from '../../src/client/reconnecting.ts';
import { loadConfig } from '../../src/config.ts';
import { deathTimeoutMs, measureDeath, waitForRenewals } from '../support/death-bound.ts';
import { type Api, startApp } from '../support/app.ts';
import {
  ask,
  createChatCompletion,
  findGeneration,
  made,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { createDirectory, startDurableServer } from '../support/durable-server.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createDatabaseRecords } from '../support/records.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

interface CreatedTask {
  readonly id: string;
  readonly status: string;
  readonly task: { readonly id: string };
}

/** Creates a generation of an asynchronous kind. */
async function createAsync(api: Api, field: string, input: string): Promise<CreatedTask> {
  const { data } = await api.run<{ made: CreatedTask }, object>(
    `mutation { made: ${field}(input: ${input}, idempotencyKey: "k") { ... on Generation { id status task { id } } } }`,
  );
  return data?.made ?? { id: '', status: '', task: { id: '' } };
}

async function readTask(api: Api, id: string): Promise<object | undefined> {
  const { data } = await api.run<{ task: object }, { id: string }>(
    'query ($id: ID!) { task(id: $id) { status tracking rawStatus generation { id status } } }',
    { id },
  );
  return data?.task;
}

/** Resolves when the text of a running chat is in its record. */
async function waitUntilSaved(directory: string, text: string): Promise<void> {
  const database = new DatabaseSync(join(directory, 'gengraph.db'), { readOnly: true });
  const count = database.prepare("select count(*) as n from contents where part = 'output' and body like ?");
  try {
    await vi.waitFor(() => expect(count.get(`%${text}%`)?.['n']).toBe(1), { timeout: 30_000, interval: 50 });
  } finally {
    database.close();
  }
}

describe('kill -9', () => {
  test('lets a stock client with our options, without a key, reconnect to the end of its chat; no second chat starts', async () => {
    const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
    const location = { directory, gatewayUrl: gateway.url };
    const first = await startDurableServer(location);
    const client = first.wsClient(retryOptions);
    const watch = streamChat(client, { input: ask('Hello') });
    const rest = toEnd(watch);
    (await gateway.exchange(0)).send(...words('one ', 'two '));
    await waitUntilSaved(directory, 'one two');
    await first.crash();
    await startDurableServer({ ...location, env: { PORT: new URL(first.url).port } });
    const events = await rest;
    expect(events.at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });
    expect(events.map(({ __typename }) => __typename)).toContain('ChatSnapshot');
    expect(foldedText(events)).toBe('one two ');
    expect(gateway.requests).toHaveLength(1);
  });

  test('ends the subscription of a stock client without them if the server is down at its first reconnect', async () => {
    const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
    const first = await startDurableServer({ directory, gatewayUrl: gateway.url });
    let reconnects = 0;
    const client = first.wsClient({
      retryAttempts: 5,
      on: { connecting: (isRetry) => (reconnects += Number(isRetry)) },
    });
    const rest = toEnd(streamChat(client, { input: ask('Hello') }));
    const ended = rest.then(
      () => 'completed',
      () => 'failed',
    );
    (await gateway.exchange(0)).send(...words('one ', 'two '));
    await waitUntilSaved(directory, 'one two');
    await first.crash();
    expect(await ended).toBe('failed');
    expect(reconnects).toBe(1);
  });

  test('keeps tasks: open ones are polled again, ended ones are served from the record', async () => {
    const directory = await createDirectory();
    const music = await startFakeMusic({
      answer: (ids, fetch) => ({
        body: { code: 'success', data: ids.map((id) => (fetch === 1 ? musicTask(id) : finishedSong(id))) },
      }),
    });
    const location = { directory, gatewayUrl: music.url };
    const first = await startDurableServer(location);
    const created = await createAsync(first, 'createSong', '{ description: "x", model: SONG_V5 }');
    const generation = { id: created.id, status: 'RUNNING' };
    expect(await readTask(first, created.task.id)).toMatchObject({ status: 'RUNNING' });
    await first.crash();

    const second = await startDurableServer(location);
    const { data } = await second.run(GenerationsDocument, {});
    expect(data?.generations?.edges).toMatchObject([{ node: generation }]);
    const done = { status: 'SUCCEEDED', generation: { id: created.id, status: 'SUCCEEDED' } };
    expect(await readTask(second, created.task.id)).toMatchObject(done);
    await second.crash();

    const third = await startDurableServer(location);
    expect(await readTask(third, created.task.id)).toMatchObject(done);
    expect(music.fetches).toHaveLength(2);
    expect(await createAsync(third, 'createSong', '{ description: "x", model: SONG_V5 }')).toMatchObject({
      id: created.id,
      task: created.task,
    });
  });

  test('keeps tasks that cannot be polled unchanged', async () => {
    const directory = await createDirectory();
    const gateway = await startFakeGateway((_request, response) => {
      response.writeHead(201).end(JSON.stringify({ id: 'p1', status: 'starting' }));
    });
    const location = { directory, gatewayUrl: gateway.url };
    const first = await startDurableServer(location);
    const input = '{ modelVersion: "v", promptStart: "a", promptEnd: "b" }';
    const created = await createAsync(first, 'createAnimation', input);
    await first.crash();
    const second = await startDurableServer(location);
    expect(await readTask(second, created.task.id)).toEqual({
      status: 'SUBMITTED',
      tracking: 'NOT_TRACKABLE',
      rawStatus: 'starting',
      generation: { id: created.id, status: 'SUBMITTED' },
    });
    expect(gateway.requests).toHaveLength(1);
  });
});

test('a second server on the same records interrupts nothing, and settles orphans of the first within one lease and two seconds', async () => {
  const [records, gateway] = [await createDatabaseRecords(), await startScriptedGateway()];
  const location = { env: records.env, gatewayUrl: gateway.url };
  const first = await startDurableServer(location);
  const starting = startChat(first, hello);
  (await gateway.exchange(0)).send(...words('one '));
  const { id } = made(await starting);
  const second = await startDurableServer(location);
  expect(await findGeneration(second, id)).toMatchObject({ status: 'RUNNING', error: null });
  expect(made(await startChat(second, hello)).id).toBe(id);
  await waitForRenewals(records.query);
  const death = await measureDeath(records.query, first.crash);
  const ended = { error: { code: 'INTERRUPTED' } };
  await expect.poll(() => findGeneration(second, id), { timeout: deathTimeoutMs }).toMatchObject(ended);
  await death.expectSettled();
  const third = await startDurableServer(location);
  expect(await findGeneration(third, id)).toMatchObject(ended);
  expect(await records.query('select id from instances')).toHaveLength(2);
  expect(gateway.requests).toHaveLength(1);
});

test('a second server settles a create in flight on a killed server within one lease and two seconds', async () => {
  const [records, gateway] = [await createDatabaseRecords(), await startScriptedGateway()];
  const location = { env: records.env, gatewayUrl: gateway.url };
  const [first, second] = await Promise.all([startDurableServer(location), startDurableServer(location)]);
  const lost = createChatCompletion(first, hello).catch(() => undefined);
  await gateway.exchange(0);
  const duplicate = createChatCompletion(second, hello);
  await waitForRenewals(records.query);
  const death = await measureDeath(records.query, first.crash);
  await lost;
  const failure = refused(await duplicate);
  await death.expectSettled();
  expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
  expect(gateway.requests).toHaveLength(1);
});

/** Why a server does not start on these records. */
async function failureIn(directory: string): Promise<string> {
  const starting = createApp(loadConfig({ DATA_DIR: directory, PORT: '0', SANDBOX_PORT: '0' }));
  return starting.then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('DATA_DIR', () => {
  test('is accessible to its user only', async () => {
    const parent = await createDirectory();
    const directory = join(parent, 'made/here');
    await using _app = await startApp({ env: { DATA_DIR: directory } });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'gengraph.db'))).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a file', 'file', /\/file is not a directory$/],
    ['below a file', 'file/a/b', /cannot create or write \S+\/file\/a: \S+\/file is not a directory$/],
    ['a dangling link', 'link', /cannot create or write \S+\/link: a file with that name exists$/],
    [
      'in a parent that allows no directories',
      '/proc/nope/a',
      /cannot create or write \S+: .*(cannot be created in|read-only|no write permission)/,
    ],
    ['a name that is too long', 'x'.repeat(300), /: the name is too long$/],
  ])('that is unusable (%s) ends the start with one line', async (_what, path, reason) => {
    const parent = await createDirectory();
    await writeFile(join(parent, 'file'), 'not a directory');
    await symlink(join(parent, 'nowhere'), join(parent, 'link'));
    const message = await failureIn(resolve(parent, path));
    expect(message).toMatch(/^Cannot keep records in DATA_DIR=\S+: [^\n]+$/);
    expect(message).toMatch(reason);
  });

  test('in a read-only parent prints one line', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root can write to a read-only directory');
    const parent = await createDirectory();
    await chmod(parent, 0o500);
    expect(await failureIn(join(parent, 'a/b'))).toMatch(
      /^Cannot keep records in DATA_DIR=\S+: [^\n]+no write permission$/,
    );
  });
});
