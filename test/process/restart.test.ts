import { chmod, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { GenerationsDocument } from '../../src/client/documents.generated.ts';
import { reconnecting } from '../../src/client/reconnecting.ts';
import type { Api } from '../support/app.ts';
import {
  ask,
  chat,
  chatStream,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { createDirectory, startDurableServer } from '../support/durable-server.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startProgram } from '../support/programs.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

interface CreatedTask {
  readonly id: string;
  readonly status: string;
  readonly task: { readonly id: string };
}

/** A create whose result comes later. */
async function createWork(api: Api, field: string, input: string): Promise<CreatedTask> {
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

/** Resolves once a running chat's text is in its record. */
async function whenSaved(directory: string, text: string): Promise<void> {
  const database = new DatabaseSync(join(directory, 'gengraph.db'), { readOnly: true });
  const count = database.prepare("select count(*) as n from contents where part = 'output' and body like ?");
  try {
    await vi.waitFor(() => expect(count.get(`%${text}%`)?.['n']).toBe(1), { timeout: 10_000, interval: 50 });
  } finally {
    database.close();
  }
}

describe('kill -9', () => {
  test('leaves of a running chat what was saved, as a failure that says so, and never a second request', async () => {
    const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
    const place = { directory, gatewayUrl: gateway.url };
    const first = await startDurableServer(place);
    const starting = startChat(first, hello);
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one ', 'two '));
    const { id } = made(await starting);
    const watch = chatStream(first.wsClient(), { id });
    await nextEvent(watch);
    await whenSaved(directory, 'one two');
    await first.crash();

    const second = await startDurableServer(place);
    const generation = await findGeneration(second, id);
    expect(generation).toMatchObject({
      status: 'FAILED',
      isTerminal: true,
      isCancelable: false,
      error: { code: 'INTERRUPTED' },
      output: { sequence: 2, choices: [{ message: { content: 'one two ' } }] },
    });
    for (const events of [
      await toEnd(chatStream(second.wsClient(), { id })),
      await toEnd(chat(second.wsClient(), hello)),
    ]) {
      expect(events).toMatchObject([
        { __typename: 'ChatSnapshot', generationId: id, sequence: 2 },
        { __typename: 'ChatFailed', generationId: id, error: { code: 'INTERRUPTED' } },
      ]);
      expect(foldedText(events)).toBe('one two ');
    }
    expect(made(await startChat(second, hello)).id).toBe(id);
    expect(gateway.requests).toHaveLength(1);
  });

  test('is met by the stock client with our options, without a key, with the end of its chat and no second one', async () => {
    const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
    const place = { directory, gatewayUrl: gateway.url };
    const first = await startDurableServer(place);
    const client = first.wsClient(reconnecting);
    const watch = chat(client, { input: ask('Hello') });
    const rest = toEnd(watch);
    (await gateway.exchange(0)).send(...words('one ', 'two '));
    await whenSaved(directory, 'one two');
    await first.crash();
    await startDurableServer({ ...place, env: { PORT: new URL(first.url).port } });
    const events = await rest;
    expect(events.at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });
    expect(events.map(({ __typename }) => __typename)).toContain('ChatSnapshot');
    expect(foldedText(events)).toBe('one two ');
    expect(gateway.requests).toHaveLength(1);
  });

  test('ends the watch of the stock client without them, where its first reconnect finds no server', async () => {
    const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
    const first = await startDurableServer({ directory, gatewayUrl: gateway.url });
    let reconnects = 0;
    const client = first.wsClient({
      retryAttempts: 5,
      on: { connecting: (isRetry) => (reconnects += Number(isRetry)) },
    });
    const rest = toEnd(chat(client, { input: ask('Hello') }));
    const ended = rest.then(
      () => 'completed',
      () => 'failed',
    );
    (await gateway.exchange(0)).send(...words('one ', 'two '));
    await whenSaved(directory, 'one two');
    await first.crash();
    expect(await ended).toBe('failed');
    expect(reconnects).toBe(1);
  });

  test('makes the outcome of what was being sent unknown, with its generation, and keeps its key', async () => {
    const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
    const place = { directory, gatewayUrl: gateway.url };
    const first = await startDurableServer(place);
    const lost = createChatCompletion(first, hello).catch(() => undefined);
    await gateway.exchange(0);
    await first.crash();
    expect(await lost).toBeUndefined();

    const second = await startDurableServer(place);
    const failure = refused(await createChatCompletion(second, hello));
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
    const { data } = await second.run(GenerationsDocument, {});
    expect(data?.generations.edges).toMatchObject([{ node: { id: failure.generation?.id } }]);
    expect(gateway.requests).toHaveLength(1);
  });

  test('keeps tasks: open ones are asked for again, ended ones answer from the record', async () => {
    const directory = await createDirectory();
    const music = await startFakeMusic({
      answer: (ids, fetch) => ({
        body: { code: 'success', data: ids.map((id) => (fetch === 1 ? musicTask(id) : finishedSong(id))) },
      }),
    });
    const place = { directory, gatewayUrl: music.url };
    const first = await startDurableServer(place);
    const created = await createWork(first, 'createSong', '{ gptDescriptionPrompt: "x", mv: SONG_V5 }');
    const generation = { id: created.id, status: 'RUNNING' };
    expect(await readTask(first, created.task.id)).toMatchObject({ status: 'RUNNING' });
    await first.crash();

    const second = await startDurableServer(place);
    const { data } = await second.run(GenerationsDocument, {});
    expect(data?.generations.edges).toMatchObject([{ node: generation }]);
    const done = { status: 'SUCCEEDED', generation: { id: created.id, status: 'SUCCEEDED' } };
    expect(await readTask(second, created.task.id)).toMatchObject(done);
    await second.crash();

    const third = await startDurableServer(place);
    expect(await readTask(third, created.task.id)).toMatchObject(done);
    expect(music.fetches).toHaveLength(2);
    expect(await createWork(third, 'createSong', '{ gptDescriptionPrompt: "x", mv: SONG_V5 }')).toMatchObject(
      {
        id: created.id,
        task: created.task,
      },
    );
  });

  test('keeps tasks that nobody can ask for as they were', async () => {
    const directory = await createDirectory();
    const gateway = await startFakeGateway((_request, response) => {
      response.writeHead(201).end(JSON.stringify({ id: 'p1', status: 'starting' }));
    });
    const place = { directory, gatewayUrl: gateway.url };
    const first = await startDurableServer(place);
    const input = '{ version: "v", promptStart: "a", promptEnd: "b" }';
    const created = await createWork(first, 'createAnimation', input);
    await first.crash();
    const second = await startDurableServer(place);
    expect(await readTask(second, created.task.id)).toEqual({
      status: 'QUEUED',
      tracking: 'NOT_TRACKABLE',
      rawStatus: 'starting',
      generation: { id: created.id, status: 'QUEUED' },
    });
    expect(gateway.requests).toHaveLength(1);
  });
});

test('a second server on the same records interrupts nothing, and settles at once what the first leaves', async () => {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const place = { directory, gatewayUrl: gateway.url };
  const first = await startDurableServer(place);
  const starting = startChat(first, hello);
  (await gateway.exchange(0)).send(...words('one '));
  const { id } = made(await starting);
  const second = await startDurableServer(place);
  expect(await findGeneration(second, id)).toMatchObject({ status: 'RUNNING', error: null });
  expect(made(await startChat(second, hello)).id).toBe(id);
  await first.crash();
  const third = await startDurableServer(place);
  for (const server of [second, third])
    expect(await findGeneration(server, id)).toMatchObject({ error: { code: 'INTERRUPTED' } });
  expect((await readdir(directory)).filter((name) => name.endsWith('.lock'))).toHaveLength(2);
  expect(gateway.requests).toHaveLength(1);
});

test('a second server tells soon what became of a create that the first was sending when it was killed', async () => {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const place = { directory, gatewayUrl: gateway.url };
  const [first, second] = await Promise.all([startDurableServer(place), startDurableServer(place)]);
  const lost = createChatCompletion(first, hello).catch(() => undefined);
  await gateway.exchange(0);
  const twin = createChatCompletion(second, hello);
  await first.crash();
  await lost;
  // Within the test's time, which is shorter than the lease of the first.
  const failure = refused(await twin);
  expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
  expect(gateway.requests).toHaveLength(1);
});

test('a stop and a start keep everything that had ended', async () => {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const place = { directory, gatewayUrl: gateway.url };
  const first = await startDurableServer(place);
  const creating = createChatCompletion(first, hello);
  (await gateway.exchange(0)).reply(200, { choices: [{ message: { content: 'Hi!' } }] });
  const before = made(await creating);
  first.program.kill('SIGTERM');
  expect(await first.program.exited).toEqual({ code: 0, signal: null });
  const second = await startDurableServer(place);
  expect(await findGeneration(second, before.id)).toEqual(before);
  expect(await createChatCompletion(second, hello)).toEqual(before);
  expect(gateway.requests).toHaveLength(1);
});

describe('DATA_DIR', () => {
  test('is readable for nobody else', async () => {
    const parent = await createDirectory();
    const directory = join(parent, 'made/here');
    await startDurableServer({ directory, gatewayUrl: 'http://127.0.0.1:9' });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'gengraph.db'))).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a file', 'file', /\/file is not a directory$/],
    ['within a file', 'file/a/b', /cannot create or write \S+\/file\/a: \S+\/file is not a directory$/],
    ['a name that leads nowhere', 'link', /cannot create or write \S+\/link: a file with that name exists$/],
    [
      'of a parent that takes none',
      '/proc/nope/a',
      /cannot create or write \S+: .*(cannot be created in|read-only|no write permission)/,
    ],
    ['of a name that is too long', 'x'.repeat(300), /: the name is too long$/],
  ])('that cannot be used (%s) is one line that says why, and exit code 1', async (_what, path, reason) => {
    const parent = await createDirectory();
    await writeFile(join(parent, 'file'), 'no directory');
    await symlink(join(parent, 'nowhere'), join(parent, 'link'));
    const env = { DATA_DIR: resolve(parent, path) };
    const program = startProgram(['node', 'src/start.js'], { env });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/^Cannot keep records in DATA_DIR=\S+: [^\n]+\n$/);
    expect(program.stderr.trimEnd()).toMatch(reason);
  });

  // Nothing is read-only for root, but where the file system is.
  test.skipIf(process.getuid?.() === 0)('in a read-only parent is one line that says so', async () => {
    const parent = await createDirectory();
    await chmod(parent, 0o500);
    const program = startProgram(['node', 'src/start.js'], { env: { DATA_DIR: join(parent, 'a/b') } });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/^Cannot keep records in DATA_DIR=\S+: [^\n]+no write permission\n$/);
  });
});
