import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Api, apiAt } from '../../support/app.ts';
import { startBuilt } from '../../support/built-program.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  startChat,
  toEnd,
} from '../../support/chats.ts';
import { createFolder, createImage, settledAssets } from '../../support/files.ts';
import { startCallbackRouter, subscribeByCallback, textOf } from '../../support/callback-router.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { chatId, readConversation, sendChat } from '../../support/conversations.ts';
import { FeedClient, readList } from '../../support/feed-client.ts';
import { type Program, startProgram } from '../../support/programs.ts';
import { createRecords, type Engine, engines } from '../../support/records.ts';
import { startScriptedGateway, words } from '../../support/scripted-gateway.ts';
import { startReceiver, webhookEnv } from '../../support/webhook-receiver.ts';

/**
 * Directory of an older version with its node_modules, see CONTRIBUTING.md. Its migrations must be those of this version
 * without the last ones.
 */
const olderCheckout = process.env['OLDER_CHECKOUT'];

const needed = 'needs an older version: set OLDER_CHECKOUT to its directory';

interface Server extends Api {
  readonly program: Program;
}

type Env = Readonly<Record<string, string>>;

/** Starts this version, or the one in a directory. */
async function startVersion(env: Env, cwd?: string): Promise<Server> {
  const program =
    cwd === undefined
      ? startBuilt([], { env: { LOG_LEVEL: 'warn', ...env } })
      : startProgram(['node', 'src/start.js'], { env: { LOG_LEVEL: 'warn', ...env }, cwd });
  // The first address that either version prints of its API.
  const [url] = await program.waitForOutput(/http:\S+\/graphql/);
  return Object.assign(apiAt(url), { program });
}

async function stop({ program }: Server): Promise<void> {
  program.kill('SIGTERM');
  expect(await program.exited).toMatchObject({ code: 0 });
}

/** The settings of servers that share records and a sandbox. */
async function createEnv(engine: Engine): Promise<Env> {
  const sandbox = startBuilt(['sandbox']);
  const [, url = ''] = await sandbox.waitForOutput(/(http:\/\/[\w.:]+)/);
  const records = await createRecords(engine);
  // Tests ask a version which mutation it knows.
  return { ...records.env, GATEWAY_URL: url, INTROSPECTION: 'on' };
}

/** Runs an operation that both versions know. */
async function runAt<Result>(api: Api, text: string, variables: object = {}): Promise<Result> {
  const { data, errors } = await api.run<Result, object>(text, variables);
  if (!data || errors) throw new Error(JSON.stringify(errors));
  return data;
}

interface Read {
  readonly generations: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
}

/** What both versions show of all records. */
const readAll = (api: Api): Promise<Read> =>
  runAt(
    api,
    `{ generations(first: 100) { totalCount edges { node {
        id kind status model prompt collection createdAt finishedAt isTerminal isCancelable input raw
        usage { promptTokens completionTokens totalTokens }
        error { code message }
        output { __typename ... on ChatCompletion { choices { message { content } finishReason } } ... on SongList { songs { title audioUrl } } }
      } } }
      usageTotals { generations succeeded canceled promptTokens completionTokens } }`,
  );

const idsIn = ({ generations }: Read): readonly string[] => generations.edges.map(({ node }) => node.id);

async function createSong(api: Api, idempotencyKey: string): Promise<string> {
  const { song } = await runAt<{ song: { id: string } }>(
    api,
    `mutation ($key: ID!) { song: createSong(input: { description: "A shanty", model: SONG_V5 }, idempotencyKey: $key) {
      ... on Generation { id } ... on GengraphError { code message } } }`,
    { key: idempotencyKey },
  );
  return song.id;
}

async function awaitEnd(api: Api, id: string): Promise<void> {
  const { generation } = await runAt<{ generation: { isTerminal: boolean } }>(
    api,
    'query ($id: ID!) { generation: awaitGeneration(by: { id: $id }, timeoutSeconds: 60) { isTerminal } }',
    { id },
  );
  expect(generation.isTerminal).toBe(true);
}

/** Deletes a generation by the mutation that the version knows. Returns the deleted ids. */
async function deleteAt(api: Api, id: string): Promise<readonly string[]> {
  const { __type: type } = await runAt<{
    __type: { fields: readonly { name: string; type: { kind: string } }[] };
  }>(api, '{ __type(name: "Mutation") { fields { name type { kind } } } }');
  const isRenamed = type.fields.some(({ name }) => name === 'deleteGenerations');
  const returnsIds = type.fields.some(
    ({ name, type: { kind } }) => name === 'forgetGenerations' && kind === 'LIST',
  );
  const deletion = isRenamed
    ? 'deleteGenerations(ids: [$id]) { ids: deletedIds }'
    : `forgetGenerations(ids: [$id]) ${returnsIds ? '' : '{ ids: forgottenIds }'}`;
  const { deleted } = await runAt<{ deleted: readonly string[] | { ids: readonly string[] } }>(
    api,
    `mutation ($id: ID!) { deleted: ${deletion} }`,
    { id },
  );
  return 'ids' in deleted ? deleted.ids : deleted;
}

/** A create that both versions know, by key. */
const chatOf = async (api: Api, key: string): Promise<string> =>
  made(await createChatCompletion(api, { input: ask(`Hello, ${key}`), idempotencyKey: key })).id;

describe.each(engines)('the records of an older version on %s', (engine) => {
  beforeEach(({ skip }) => skip(olderCheckout === undefined, needed));

  test('are shown, replayed, followed and continued by this version', { timeout: 180_000 }, async () => {
    const env = await createEnv(engine);
    const older = await startVersion(env, olderCheckout);
    const chat = await chatOf(older, 'chat');
    const song = await createSong(older, 'song');
    await awaitEnd(older, song);
    const { id: started } = made(
      await startChat(older, { input: ask('Started'), idempotencyKey: 'started' }),
    );
    await awaitEnd(older, started);
    const { id: canceled } = made(await startChat(older, { input: ask('Count to 10000') }));
    await cancelGeneration(older, { id: canceled });
    await awaitEnd(older, canceled);
    const unfinished = await createSong(older, 'unfinished');
    const before = await readAll(older);
    await stop(older);

    const newer = await startVersion(env);
    const { listed } = await readList(newer);
    expect([...listed.keys()].toSorted()).toEqual([chat, song, started, canceled, unfinished].toSorted());
    await awaitEnd(newer, unfinished);
    const ended = ({ generations: { edges } }: Read) => edges.filter(({ node }) => node.id !== unfinished);
    expect(ended(await readAll(newer))).toEqual(ended(before));
    expect(await chatOf(newer, 'chat')).toBe(chat);
    expect(await createSong(newer, 'song')).toBe(song);
    const seen = [];
    for await (const event of chatEvents(newer.wsClient(), { id: started })) seen.push(event.__typename);
    expect(seen).toEqual(['ChatSnapshot', 'ChatCompleted']);

    const feed = new FeedClient();
    const server = { api: newer, socket: newer.wsClient() };
    await feed.start(server);
    feed.connect(server);
    const next = await chatId(newer, { continueFrom: chat });
    await feed.hasSeen(next);
    expect(await readConversation(newer, next)).toMatchObject({
      parent: { id: chat },
      thread: [{ id: chat }, { id: next }],
    });
    expect(await sendChat(newer, { continueFrom: canceled })).toMatchObject({ code: 'NOT_CONTINUABLE' });
    await feed.cut();
    const after = await readAll(newer);
    await stop(newer);

    // Back again, for example because the operator prefers the older version.
    const back = await startVersion(env, olderCheckout);
    expect(await readAll(back)).toEqual(after);
    expect(await chatOf(back, 'chat')).toBe(chat);
    const late = await chatOf(back, 'late');
    await stop(back);
    const again = await startVersion(env);
    expect(idsIn(await readAll(again))).toEqual([late, ...idsIn(after)]);
    const read = new FeedClient();
    await read.start({ api: again, socket: again.wsClient() });
    expect((await readConversation(again, late))?.canContinue).toBe(true);
    await stop(again);
  });
});

describe('an older and this version on PostgreSQL', () => {
  beforeEach(({ skip }) => skip(olderCheckout === undefined, needed));

  test('serve the same records side by side, whichever starts first', { timeout: 180_000 }, async () => {
    const [records, gateway] = [await createRecords('PostgreSQL'), await startScriptedGateway()];
    const env = { ...records.env, GATEWAY_URL: gateway.url };
    const older = await startVersion(env, olderCheckout);
    const newer = await startVersion(env);
    const olderThatStartsLater = await startVersion(env, olderCheckout);
    const servers = [older, newer, olderThatStartsLater];
    let sent = 0;
    for (const producer of servers) {
      const at = sent;
      const starting = startChat(producer, { input: ask(`chat ${at}`), idempotencyKey: `chat ${at}` });
      const exchange = await gateway.exchange(at);
      exchange.send(...words('a'));
      const { id } = made(await starting);
      const watchers = [];
      for (const server of servers) {
        const events = chatEvents(server.wsClient(), { id });
        watchers.push({ events, seen: [await nextEvent(events)] });
      }
      // Longer than the checks of sessions, so that each could end the others.
      await wait(5000);
      exchange.send(...words('b'), '[DONE]');
      for (const { events, seen } of watchers)
        expect(foldedText([...seen, ...(await toEnd(events))])).toBe('ab');
      const create = { input: ask(`create ${at}`), idempotencyKey: `create ${at}` };
      const creating = createChatCompletion(producer, create);
      (await gateway.exchange(at + 1)).reply(200, { choices: [{ message: { content: 'Hi' } }] });
      const whole = made(await creating);
      for (const server of servers) {
        expect(await findGeneration(server, id)).toMatchObject({ status: 'SUCCEEDED' });
        expect(made(await createChatCompletion(server, create)).id).toBe(whole.id);
      }
      sent += 2;
    }
    expect(gateway.requests).toHaveLength(sent);
  });

  test('share files and webhooks that only this version has', { timeout: 120_000 }, async () => {
    const env = await createEnv('PostgreSQL');
    const receiver = await startReceiver();
    const folder = await createFolder();
    const older = await startVersion(env, olderCheckout);
    const newer = await startVersion({
      ...env,
      ...webhookEnv([receiver]),
      FILES: 'folder',
      FILES_DIR: folder,
    });
    // The trigger records the end, whichever version writes it.
    const chat = await chatOf(older, 'chat');
    const [event] = await receiver.waitFor(1);
    expect(event?.event.data.generationId).toBe(chat);
    const image = await createImage(newer);
    const [asset] = await settledAssets(newer, image);
    expect(asset?.storage).toBe('STORED');
    expect((await receiver.waitFor(2)).map(({ event: { data } }) => data.generationId)).toEqual([
      chat,
      image,
    ]);
    // Deleted by the older version, which knows no files.
    expect(await deleteAt(older, image)).toEqual([image]);
    const countFiles = async (): Promise<number> => {
      const found = await readdir(`${folder}/objects`, { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).length;
    };
    await expect.poll(countFiles, { timeout: 20_000 }).toBe(0);
    expect((await fetch(asset?.url ?? '')).status).toBe(404);
  });

  test(
    'write one feed and one list, and this version continues the chats of both',
    { timeout: 180_000 },
    async () => {
      const env = await createEnv('PostgreSQL');
      const older = await startVersion(env, olderCheckout);
      const newer = await startVersion(env);
      const feed = new FeedClient();
      const server = { api: newer, socket: newer.wsClient() };
      await feed.start(server);
      feed.connect(server);
      onTestFinished(() => feed.cut());
      const count = 40;
      const made = await Promise.all(
        Array.from({ length: count }, async (_none, index) => {
          const [first, second] = index % 2 === 0 ? [older, newer] : [newer, older];
          const id = await chatOf(first, `key ${index}`);
          // The key holds on the other version.
          expect(await chatOf(second, `key ${index}`)).toBe(id);
          return id;
        }),
      );
      const next = await Promise.all(made.map((continueFrom) => chatId(newer, { continueFrom })));
      for (const id of [...made, ...next]) await feed.hasSeen(id);
      const shown = await readAll(older);
      expect(idsIn(shown).toSorted()).toEqual([...made, ...next].toSorted());
      expect(await readAll(newer)).toEqual(shown);
      expect(await readConversation(newer, next[0] ?? '')).toMatchObject({ parent: { id: made[0] } });

      // The older version deletes the first turn of a conversation that it does not know.
      const [root = ''] = made;
      expect(await deleteAt(older, root)).toEqual([root]);
      const last = await chatOf(older, 'last');
      await feed.hasSeen(last);
      expect(feed.listed).toEqual((await readList(newer)).listed);
      expect(feed.listed.has(root)).toBe(false);
      expect(await readConversation(newer, next[0] ?? '')).toMatchObject({
        canContinue: false,
        notContinuableReason: 'ANCESTOR_DELETED',
      });
      expect(feed.counts.resets).toBe(0);
      for (const { program } of [older, newer])
        expect(program.output).not.toMatch(/"level":("warn"|"error"|[456]0)/);
    },
  );

  test(
    'this version posts the chats of both to a router, and goes on when the older one restarts',
    {
      timeout: 180_000,
    },
    async () => {
      const [records, gateway, router] = [
        await createRecords('PostgreSQL'),
        await startScriptedGateway(),
        await startCallbackRouter(),
      ];
      const env = { ...records.env, GATEWAY_URL: gateway.url };
      const older = await startVersion(env, olderCheckout);
      const newer = await startVersion({ ...env, CALLBACK_URLS: router.url });
      const chats = [];
      for (const [index, producer] of [older, newer].entries()) {
        const starting = startChat(producer, {
          input: ask(`chat ${index}`),
          idempotencyKey: `chat ${index}`,
        });
        const exchange = await gateway.exchange(index);
        exchange.send(...words('a'));
        const { id } = made(await starting);
        const query = `subscription ($id: ID!) { chatEvents(id: $id, minIntervalMs: 0) { __typename sequence
        soFar { choices { message { content } } } ... on ChatDelta { fromSequence choices { content } } } }`;
        const reply = await subscribeByCallback(newer, router, {
          query,
          variables: { id },
          subscriptionId: `${index}`,
        });
        expect(reply.json).toEqual({ data: null });
        chats.push({ exchange, id });
      }
      const eventsOf = (index: number) =>
        router.posts.all.flatMap(({ body }) =>
          body.id === `${index}` && body.action === 'next' ? Object.values(body.payload?.data ?? {}) : [],
        );
      await router.posts.when(() => [0, 1].every((index) => textOf(eventsOf(index)) === 'a'));
      // It finds rows of a table that it does not know.
      const olderThatStartsLater = await startVersion(env, olderCheckout);
      for (const { exchange } of chats) exchange.send(...words('b'), '[DONE]');
      await router.when('complete', 2);
      for (const index of [0, 1]) expect(textOf(eventsOf(index))).toBe('ab');
      for (const server of [older, newer, olderThatStartsLater])
        for (const { id } of chats)
          expect(await findGeneration(server, id)).toMatchObject({ status: 'SUCCEEDED' });
      expect(gateway.requests).toHaveLength(2);
      for (const { program } of [older, newer, olderThatStartsLater])
        expect(program.output).not.toMatch(/"level":("warn"|"error"|[456]0)/);
    },
  );
});
