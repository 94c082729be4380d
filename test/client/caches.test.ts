import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Client as UrqlClient, type Exchange, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { isAbstractType } from 'graphql';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { apolloOptions, applyFeedEvent } from '../../src/client/apollo/index.ts';
import { createGengraph, type Gengraph } from '../../src/client/gengraph.ts';
import {
  AwaitGenerationDocument,
  type ChatInput,
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  type GenerationChangedSubscription,
  type GenerationFilter,
  type GenerationOrder,
  GenerationsDocument,
  type GenerationsQuery,
  introspection,
  possibleTypes,
  StartChatDocument,
  StreamChatDocument,
} from '../../src/client/documents.generated.ts';
import { graphcacheOptions, urqlExchanges } from '../../src/client/urql/index.ts';
import { packFeedCursor } from '../../src/graphql/feed-cursor.ts';
import { schema } from '../support/api-schema.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

type List = NonNullable<GenerationsQuery['generations']>;

interface ListVariables {
  readonly first?: number;
  readonly after?: string | null;
  readonly orderBy?: GenerationOrder;
  readonly filter?: GenerationFilter;
}

/** What a page does with its client. */
interface PageClient {
  /** Shows a list, and reads it again when the cache lacks something. */
  watch(variables: ListVariables): { readonly list: List | undefined };
  readMore(variables: ListVariables): Promise<void>;
  /** Follows the feed. @returns the types of the events with their generations */
  follow(after: string): readonly string[];
  mutate<Result, Variables extends object>(
    document: TypedDocumentNode<Result, Variables>,
    variables: Variables,
  ): Promise<Result | undefined>;
  /** The texts that the events of a chat show. */
  chat(idempotencyKey: string): Promise<readonly string[]>;
}

function toText(event: GenerationChangedSubscription['generationChanged']): string {
  return `${event.__typename} ${'generationId' in event ? event.generationId : ''}`;
}

/** The server ends before its clients. */
const ignoreEnd = (): void => {};

function createApollo(options: ApolloClient.Options): PageClient {
  const client = new ApolloClient(options);
  onTestFinished(() => client.stop());
  const lists = new Map<string, ReturnType<typeof observe>>();
  const observe = (variables: ListVariables) => client.watchQuery({ query: GenerationsDocument, variables });
  return {
    watch(variables) {
      const observed = observe(variables);
      lists.set(JSON.stringify(variables.filter), observed);
      const view: { list: List | undefined } = { list: undefined };
      observed.subscribe({
        next({ data, dataState }) {
          if (dataState === 'complete') view.list = data.generations ?? undefined;
        },
        error: ignoreEnd,
      });
      return view;
    },
    async readMore({ after, filter }) {
      await lists.get(JSON.stringify(filter))?.fetchMore({ variables: { after } });
    },
    follow(after) {
      const seen: string[] = [];
      client.subscribe({ query: GenerationChangedDocument, variables: { after } }).subscribe({
        next({ data }) {
          if (!data) return;
          seen.push(toText(data.generationChanged));
          applyFeedEvent(client.cache, data.generationChanged);
        },
        error: ignoreEnd,
      });
      return seen;
    },
    async mutate(mutation, variables) {
      // The client derives the variables from the document.
      return (await client.mutate({ mutation, variables } as ApolloClient.MutateOptions)).data as never;
    },
    chat(idempotencyKey) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      const texts: string[] = [];
      client
        .subscribe({ query: StreamChatDocument, variables: { input: ask('Hello'), idempotencyKey } })
        .subscribe({
          next: ({ data }) => void texts.push(data?.streamChat.soFar.choices[0]?.message.content ?? ''),
          error: reject,
          complete: () => resolve(texts),
        });
      return promise;
    },
  };
}

function createUrql(exchanges: Exchange[], url = 'unused'): PageClient {
  const headers = { ...sandboxKey };
  const client = new UrqlClient({
    url,
    exchanges,
    fetchSubscriptions: true,
    preferGetMethod: false,
    fetchOptions: { headers },
  });
  const stops: (() => void)[] = [];
  onTestFinished(() => {
    for (const stop of stops) stop();
  });
  return {
    watch(variables) {
      const view: { list: List | undefined } = { list: undefined };
      const { unsubscribe } = client.query(GenerationsDocument, variables).subscribe(({ data, stale }) => {
        if (!stale) view.list = data?.generations ?? undefined;
      });
      stops.push(unsubscribe);
      return view;
    },
    async readMore(variables) {
      await client.query(GenerationsDocument, variables).toPromise();
    },
    follow(after) {
      const seen: string[] = [];
      const { unsubscribe } = client
        .subscription(GenerationChangedDocument, { after })
        .subscribe(({ data }) => void (data && seen.push(toText(data.generationChanged))));
      stops.push(unsubscribe);
      return seen;
    },
    async mutate(mutation, variables) {
      const { data, error } = await client.mutation(mutation, variables).toPromise();
      if (error) throw error;
      return data;
    },
    chat(idempotencyKey) {
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      const texts: string[] = [];
      const variables = { input: ask('Hello'), idempotencyKey };
      const { unsubscribe } = client.subscription(StreamChatDocument, variables).subscribe(({ data }) => {
        texts.push(data?.streamChat.soFar.choices[0]?.message.content ?? '');
        if (data?.streamChat.__typename === 'ChatCompleted') resolve(texts);
      });
      stops.push(unsubscribe);
      return promise;
    },
  };
}

function connect(url: string): Gengraph {
  const gengraph = createGengraph({ url, credential: 'sk-sandbox' });
  onTestFinished(() => gengraph.dispose());
  return gengraph;
}

const living: readonly [string, (url: string) => PageClient][] = [
  ['Apollo Client', (url) => createApollo(apolloOptions(connect(url)))],
  ['urql', (url) => createUrql(urqlExchanges(connect(url)))],
];

const overHttp: (typeof living)[number] = [
  'urql over HTTP',
  (url) => createUrql([cacheExchange(graphcacheOptions), fetchExchange], url),
];

const unconfigured: readonly [string, (url: string) => PageClient][] = [
  [
    'Apollo Client',
    (uri) => createApollo({ link: new HttpLink({ uri, headers: sandboxKey }), cache: new InMemoryCache() }),
  ],
  ['graphcache', (url) => createUrql([cacheExchange({ logger: () => {} }), fetchExchange], url)],
];

test.each([...living, ...unconfigured])(
  '%s finds code, message and problems of an error in a shipped document (%#)',
  async (_name, open) => {
    await using app = await startApp();
    const data = await open(app.url).mutate(StartChatDocument, { input: { model: '', messages: [] } });
    expect(data?.startChat).toMatchObject({
      __typename: 'InvalidInputError',
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/\w/),
      retry: 'FIX_INPUT',
      issues: expect.arrayContaining([expect.objectContaining({ path: ['input', 'messages'] })]),
    });
  },
);

/** What clients warn of. */
function collectWarnings(): readonly unknown[] {
  const warnings: unknown[] = [];
  for (const level of ['warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...parts) => void warnings.push(parts));
    onTestFinished(() => spy.mockRestore());
  }
  return warnings;
}

async function createChat(
  app: TestApp,
  content: string,
  collection = 'a',
  input: Partial<ChatInput> = {},
): Promise<string> {
  const { data } = await app.run(StartChatDocument, { input: ask(content, input), collection });
  if (data?.startChat?.__typename !== 'Generation') throw new Error(JSON.stringify(data));
  return data.startChat.id;
}

function idsOf(list: List | undefined): readonly string[] | undefined {
  return list?.edges.map(({ node }) => node.id);
}

/** How often a client has read lists. */
function countReads(lines: readonly Readonly<Record<string, unknown>>[]): number {
  return lines.filter(({ msg, operationName }) => msg === 'operation' && operationName === 'Generations')
    .length;
}

test.each([...living, overHttp])('%s streams a chat to its end', async (_name, open) => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const texts = open(app.url).chat('one');
  const exchange = await gateway.exchange(0);
  exchange.send(...words('It was ', 'a dark night.'), '[DONE]');
  exchange.end();
  expect((await texts).at(-1)).toBe('It was a dark night.');
});

describe.each(living)('the cache of %s', (_name, open) => {
  test('keeps its lists true by the feed alone, also while its connection is lost', async () => {
    const warnings = collectWarnings();
    const lines: Readonly<Record<string, unknown>>[] = [];
    await using app = await startApp({ onLog: (line) => void lines.push(line) });
    const old = await createChat(app, 'old');
    const proxy = await startTcpProxy(app.url);
    const page = open(proxy.url);
    const all = page.watch({ first: 20 });
    const others = page.watch({ first: 20, filter: { collection: 'b' } });
    const failed = page.watch({ first: 20, filter: { statuses: ['FAILED'] } });
    await expect
      .poll(() => [idsOf(all.list), idsOf(others.list), idsOf(failed.list)])
      .toEqual([[old], [], []]);
    page.follow(all.list?.feedCursor ?? '');
    await expect.poll(() => app.app.activity.feeds).toBe(1);

    const first = await createChat(app, 'first');
    const second = await createChat(app, 'second', 'b');
    await expect.poll(() => idsOf(all.list)).toEqual([second, first, old]);
    await expect
      .poll(() => all.list?.edges.map(({ node }) => node.status))
      .toEqual(Array(3).fill('SUCCEEDED'));
    expect(all.list?.edges[0]?.node).toMatchObject({ prompt: 'second', collection: 'b', assets: [] });
    expect([idsOf(others.list), idsOf(failed.list)]).toEqual([[second], []]);
    const readTotals = () => [all, others, failed].map(({ list }) => list?.totalCount);
    await expect.poll(readTotals, { timeout: 5000 }).toEqual([3, 1, 0]);

    proxy.refuse();
    const third = await createChat(app, 'third', 'b');
    await app.run(DeleteGenerationsDocument, { ids: [first] });
    proxy.accept();
    await expect.poll(() => idsOf(all.list)).toEqual([third, second, old]);
    expect([idsOf(others.list), idsOf(failed.list)]).toEqual([[third, second], []]);
    await expect.poll(readTotals, { timeout: 5000 }).toEqual([3, 2, 0]);
    expect(countReads(lines)).toBe(3);
    expect(warnings).toEqual([]);
  });

  test('adds a conversation to a list of first turns, but no later turn', async () => {
    await using app = await startApp();
    const one = await createChat(app, 'one');
    const page = open(app.url);
    const all = page.watch({ first: 20 });
    const conversations = page.watch({ first: 20, filter: { onlyFirstTurns: true } });
    await expect.poll(() => [idsOf(all.list), idsOf(conversations.list)]).toEqual([[one], [one]]);
    page.follow(all.list?.feedCursor ?? '');
    await expect.poll(() => app.app.activity.feeds).toBe(1);
    await app.run(AwaitGenerationDocument, { by: { id: one } });
    const later = await createChat(app, 'later', 'a', { continueFrom: one });
    const two = await createChat(app, 'two');
    await expect.poll(() => idsOf(all.list)).toEqual([two, later, one]);
    expect(idsOf(conversations.list)).toEqual([two, one]);
  });

  test('reads its lists again when the feed cannot continue', async () => {
    await using app = await startApp();
    const one = await createChat(app, 'one');
    const page = open(app.url);
    const all = page.watch({ first: 20 });
    await expect.poll(() => idsOf(all.list)).toEqual([one]);
    const two = await createChat(app, 'two');
    // A place that this server has not had.
    const seen = page.follow(packFeedCursor({ number: 1, mark: 12_345 }));
    await expect.poll(() => idsOf(all.list)).toEqual([two, one]);
    expect(seen).toContain('FeedReset ');
    const three = await createChat(app, 'three');
    await expect.poll(() => idsOf(all.list)).toEqual([three, two, one]);
  });

  test('adds to a list with the oldest first at its end, if the end is read', async () => {
    await using app = await startApp();
    const one = await createChat(app, 'one');
    const two = await createChat(app, 'two');
    const page = open(app.url);
    const oldestFirst: ListVariables = { orderBy: { field: 'CREATED_AT', direction: 'ASC' } };
    const all = page.watch(oldestFirst);
    const first = page.watch({ ...oldestFirst, first: 1, filter: {} });
    await expect.poll(() => [idsOf(all.list), idsOf(first.list)]).toEqual([[one, two], [one]]);
    page.follow(all.list?.feedCursor ?? '');
    await expect.poll(() => app.app.activity.feeds).toBe(1);
    const three = await createChat(app, 'three');
    await expect.poll(() => idsOf(all.list)).toEqual([one, two, three]);
    expect(idsOf(first.list)).toEqual([one]);
  });

  test('has the next pages in the same list, and a new generation at its place', async () => {
    await using app = await startApp();
    const ids: string[] = [];
    for (const content of ['1', '2', '3', '4', '5']) ids.unshift(await createChat(app, content));
    const page = open(app.url);
    const all = page.watch({ first: 2 });
    await expect.poll(() => idsOf(all.list)).toEqual(ids.slice(0, 2));
    page.follow(all.list?.feedCursor ?? '');
    await expect.poll(() => app.app.activity.feeds).toBe(1);
    await page.readMore({ first: 2, after: all.list?.pageInfo.endCursor ?? null });
    await expect.poll(() => idsOf(all.list)).toEqual(ids.slice(0, 4));
    expect(all.list?.pageInfo.hasNextPage).toBe(true);
    const sixth = await createChat(app, '6');
    await expect.poll(() => idsOf(all.list)).toEqual([sixth, ...ids.slice(0, 4)]);
    await expect.poll(() => all.list?.totalCount, { timeout: 5000 }).toBe(6);
    await app.run(DeleteGenerationsDocument, { ids: [ids[0] ?? '', ids[2] ?? ''] });
    await expect.poll(() => idsOf(all.list)).toEqual([sixth, ids[1], ids[3]]);
    await expect.poll(() => all.list?.totalCount, { timeout: 5000 }).toBe(4);
    await page.readMore({ first: 2, after: all.list?.pageInfo.endCursor ?? null });
    await expect.poll(() => idsOf(all.list)).toEqual([sixth, ids[1], ids[3], ids[4]]);
  });
});

test('Apollo Client with `errorPolicy: all`, and graphcache, keep the neighbors of a failed field', async () => {
  await using app = await startApp();
  const client = new ApolloClient(apolloOptions(connect(app.url)));
  onTestFinished(() => client.stop());
  const query = gql`
    query {
      viewer {
        owner
      }
      voices(after: "no cursor") {
        totalCount
      }
    }
  `;
  const data = { viewer: { owner: expect.stringMatching(/\w/) }, voices: null };
  const error = { errors: [{ path: ['voices'], extensions: { code: 'BAD_REQUEST' } }] };
  await expect(client.query({ query })).rejects.toMatchObject(error);
  expect(await client.query({ query, errorPolicy: 'all' })).toMatchObject({ data, error });
  const urql = new UrqlClient({ url: 'unused', exchanges: urqlExchanges(connect(app.url)) });
  expect(await urql.query(query, {}).toPromise()).toMatchObject({
    data,
    error: { graphQLErrors: error.errors },
  });
});

test('the exported possible types and introspection are those of the schema', () => {
  const unions = introspection.__schema.types.filter(({ kind }) => kind === 'UNION' || kind === 'INTERFACE');
  expect(Object.keys(possibleTypes).sort()).toEqual(unions.map(({ name }) => name).sort());
  for (const { name, possibleTypes: members = [] } of unions) {
    const type = schema.getType(name);
    const expected = isAbstractType(type) ? schema.getPossibleTypes(type).map((each) => each.name) : [];
    expect([name, members.map((each) => each.name).sort()]).toEqual([name, expected.sort()]);
    expect([name, possibleTypes[name]]).toEqual([name, expected]);
  }
});
