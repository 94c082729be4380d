import { describe, expect, onTestFinished, test } from 'vitest';
import {
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  type GenerationChangedSubscription,
  type GenerationFilter,
} from '../../src/client/documents.generated.ts';
import { packFeedCursor } from '../../src/graphql/feed-cursor.ts';
import { keptChanges } from '../../src/store/changes.ts';
import type { Store } from '../../src/store/store.ts';
import { record } from '../store/support.ts';
import { sandboxKey, startApp, subscribe, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { FeedClient, readList } from '../support/feed-client.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { createRecords, type Engine, engines } from '../support/records.ts';

type Change = GenerationChangedSubscription['generationChanged'];

const stranger = { ...sandboxKey, 'x-end-user': 'ann' };

async function start(engine: Engine) {
  const records = await createRecords(engine);
  const created: { store?: Store; owner?: string } = {};
  const app = await startApp({
    env: { ...records.env },
    overrides: {
      wrapStore(store) {
        created.store = store;
        return {
          ...store,
          findLastChange(owner) {
            created.owner = owner;
            return store.findLastChange(owner);
          },
        };
      },
    },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, records, created };
}

async function create(app: TestApp, headers?: Readonly<Record<string, string>>): Promise<string> {
  return made(await createChatCompletion(app, { input: ask('Hello') }, headers)).id;
}

interface FeedVariables {
  readonly after?: string;
  readonly filter?: GenerationFilter;
}

function follow(app: TestApp, variables: FeedVariables, connectionParams = sandboxKey) {
  const events = subscribe(app.wsClient({ connectionParams }), GenerationChangedDocument, variables);
  return {
    /** The next events, as far as they name the generation. */
    async next(): Promise<Change> {
      const { data, errors } = (await events.next()).value ?? {};
      if (!data) throw new Error(JSON.stringify(errors));
      return data.generationChanged;
    },
    close: () => events.return?.(),
  };
}

const removal = (generationId: string) => ({ __typename: 'GenerationDeleted', generationId });
const change = (generationId: string) => ({
  __typename: 'GenerationChanged',
  generationId,
  generation: { status: 'SUCCEEDED' },
});

describe.each(engines)('%s', (engine) => {
  test('a feed continues a list with all changes since then, and then with new ones', async () => {
    const { app } = await start(engine);
    const [kept, forgotten] = [await create(app), await create(app)];
    const { listed, feedCursor } = await readList(app);
    expect([...listed.keys()].toSorted()).toEqual([kept, forgotten].toSorted());
    const added = await create(app);
    await app.run(DeleteGenerationsDocument, { ids: [forgotten] });
    const feed = follow(app, { after: feedCursor });
    const first = await feed.next();
    expect(first).toMatchObject(change(added));
    const second = await feed.next();
    expect(second).toMatchObject(removal(forgotten));
    const third = feed.next();
    await app.run(DeleteGenerationsDocument, { ids: [kept] });
    expect(await third).toMatchObject(removal(kept));
    await feed.close();
    // Each event is a position.
    for (const [{ cursor }, next] of [
      [first, removal(forgotten)],
      [second, removal(kept)],
    ] as const) {
      const again = follow(app, { after: cursor });
      expect(await again.next()).toMatchObject(next);
      await again.close();
    }
  });

  test('an empty list has a cursor, and a filter excludes changes but no deletions', async () => {
    const { app } = await start(engine);
    const { feedCursor } = await readList(app);
    const chat = await create(app);
    const filter: GenerationFilter = { kinds: ['SONG'] };
    const songs = follow(app, { after: feedCursor, filter });
    const first = songs.next();
    const all = follow(app, { after: feedCursor });
    expect(await all.next()).toMatchObject(change(chat));
    await app.run(DeleteGenerationsDocument, { ids: [chat] });
    expect(await first).toMatchObject(removal(chat));
    expect(await all.next()).toMatchObject(removal(chat));
    for (const feed of [songs, all]) await feed.close();
  });

  test('a cursor of another caller, of other records or beyond the log starts with one reset', async () => {
    const { app, records } = await start(engine);
    const old = (await readList(app)).feedCursor;
    await create(app);
    const theirs = await createChatCompletion(app, { input: ask('Secret') }, stranger);
    const other = follow(app, { after: old }, stranger);
    // Before the first change, the cursors of all callers are equal.
    expect(await other.next()).toMatchObject({ generationId: made(theirs).id });
    await other.close();
    const { feedCursor } = await readList(app);
    const [, number, mark] = JSON.parse(Buffer.from(feedCursor, 'base64url').toString()) as [
      string,
      number,
      number,
    ];
    const forge = (...members: readonly unknown[]) =>
      Buffer.from(JSON.stringify(members)).toString('base64url');
    await records.query('delete from generation_changes where number = 1');
    const wrong = [
      forge('changes', number, mark + 1),
      forge('changes', number + 5, mark),
      forge('changes', 0, 9),
      old,
    ];
    for (const after of wrong) {
      const feed = follow(app, { after });
      const reset = await feed.next();
      expect(reset).toEqual({ __typename: 'FeedReset', cursor: feedCursor });
      const next = feed.next();
      const id = await create(app);
      expect(await next).toMatchObject({ generationId: id });
      await app.run(DeleteGenerationsDocument, { ids: [id] });
      await records.query(`delete from generation_changes where number > ${number}`);
      await records.query(`update owner_changes set number = ${number}, mark = ${mark} where number > 4`);
      await feed.close();
      expect((await readList(app)).feedCursor).toBe(feedCursor);
    }
    const secret = follow(app, { after: feedCursor }, stranger);
    expect(await secret.next()).toMatchObject({ __typename: 'FeedReset' });
    await secret.close();
  });
});

test.each([
  '',
  'x',
  Buffer.from('[]').toString('base64url'),
  Buffer.from('["changes","1",2]').toString('base64url'),
])('a text that is no cursor is refused: %s', async (after) => {
  const { app } = await start('SQLite');
  const events = subscribe(app.wsClient(), GenerationChangedDocument, { after });
  const error = await events.next().then(
    ({ value }) => value?.errors,
    (errors: unknown) => errors,
  );
  expect(error).toMatchObject([
    { message: expect.stringContaining('not a cursor of this feed'), extensions: { code: 'BAD_REQUEST' } },
  ]);
});

test('PostgreSQL: clients of two servers that create at the same time keep the same list', async () => {
  const { env } = await createRecords('PostgreSQL');
  const startOne = async (): Promise<TestApp> => {
    const app = await startApp({ env: { ...env } });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const [one, other] = [await startOne(), await startOne()];
  const servers = [one, other].map((api) => ({ api, socket: api.wsClient() }));
  const clients = [];
  for (const server of [...servers, ...servers.toReversed()]) {
    const client = new FeedClient();
    await client.start(server);
    client.connect(server);
    clients.push(client);
  }
  const creates = Array.from({ length: 12 }, (_none, index) => create(index % 2 ? one : other));
  const [cut] = clients;
  await cut?.cut();
  const ids = await Promise.all(creates);
  if (servers[1]) cut?.connect(servers[1]);
  await one.run(DeleteGenerationsDocument, { ids: ids.slice(0, 3) });
  const { listed } = await readList(other);
  expect(listed.size).toBe(9);
  for (const client of clients) await expect.poll(() => client.listed, { timeout: 30_000 }).toEqual(listed);
  for (const client of clients) {
    expect(client.counts.resets).toBe(0);
    await client.cut();
  }
});

test('an owner with 30,000 changes and 300 feeds with old cursors delays nobody', async () => {
  const { app, records, created } = await start('SQLite');
  await readList(app);
  const { store, owner = '' } = created;
  if (!store) throw new Error('the server has no store');
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) ids.push((await record(store, { owner })).id);
  const { number } = await store.findLastChange(owner);
  const total = number + 30_000;
  const idOfEach = ids.map((id, index) => `when ${index} then '${id}'`).join(' ');
  await records.query(`
    with recursive numbers (number) as (
      select ${number + 1} union all select number + 1 from numbers where number < ${total}
    )
    insert into generation_changes (owner, number, generation_id, mark, changed_at)
    select '${owner}', number, case number % 10 ${idOfEach} end, number, 1 from numbers`);
  await records.query(`update owner_changes set number = ${total}, mark = ${total} where owner = '${owner}'`);
  const [kept] = await records.query('select count(*) as kept from generation_changes');
  expect(kept?.['kept']).toBeLessThan(keptChanges + 200);

  const socket = app.wsClient();
  const query = 'subscription ($after: String) { generationChanged(after: $after) { __typename cursor } }';
  const last = packFeedCursor({ number: total, mark: total });
  const held = await heldBytes();
  const feeds = Array.from({ length: 300 }, (_none, index) => {
    const position = total - (index % 20) * 1000;
    const variables = { after: packFeedCursor({ number: position, mark: position }) };
    return socket.iterate<Pick<GenerationChangedSubscription, 'generationChanged'>>({ query, variables });
  });
  const opened = feeds.map(async (feed, index) => {
    if (index % 20 === 0) return 'nothing';
    const types: unknown[] = [];
    for (;;) {
      const event = (await feed.next()).value?.data?.generationChanged;
      types.push(event?.__typename);
      if (event?.cursor === last) return types.join(' ');
    }
  });
  // Another caller is served meanwhile.
  await create(app, stranger);
  const outcomes = await Promise.all(opened);
  const changes = ids.map(() => 'GenerationChanged').join(' ');
  // At most 10,000 changes behind: each generation once.
  for (const [index, outcome] of outcomes.entries())
    expect(outcome).toBe(index % 20 === 0 ? 'nothing' : index % 20 <= 10 ? changes : 'FeedReset');
  expect((await heldBytes()) - held).toBeLessThan(60_000_000);
  socket.terminate();
  await expect.poll(() => app.app.activity.feeds).toBe(0);
}, 60_000);
