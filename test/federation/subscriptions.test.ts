import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { CreateSongDocument } from '../../src/client/documents.generated.ts';
import { sandboxKey } from '../support/app.ts';
import {
  ask,
  type ChatEvent,
  chatEvents,
  findGeneration,
  made,
  startChat,
  startChatQuery,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { type Federation, startFederation } from '../support/federation/federation.ts';
import { type HiveOptions, startHiveGateway } from '../support/federation/hive-gateway.ts';
import { foldedText } from '../support/fold-chat.ts';
import { type ScriptedGateway, startScriptedGateway, words } from '../support/scripted-gateway.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const story = ask('Tell me a story in 200 words about 😀 and Zoë.');

/** How the router forwards the credential to Gengraph. */
const credentials: readonly (readonly [string, HiveOptions])[] = [
  ['as a header of the upgrade', { credential: 'header' }],
  ['as a connection parameter', { credential: 'connectionParams' }],
];

function toSocketUrl(url: string): string {
  return url.replace('http', 'ws');
}

/** Spellings of the same credential. */
const bob: readonly Readonly<Record<string, string>>[] = [
  { authorization: sandboxKey.authorization, 'x-end-user': 'bob' },
  { Authorization: sandboxKey.authorization, 'X-End-User': 'bob' },
  { AUTHORIZATION: 'sk-sandbox', 'X-END-USER': 'bob' },
  { token: sandboxKey.authorization, 'X-End-User': 'bob' },
  { Token: 'sk-sandbox', 'x-End-user': 'bob' },
];

/** The prompts of an end user's chats, newest first. */
async function promptsOf({ app }: Federation, endUser?: string): Promise<readonly string[]> {
  const headers = { ...sandboxKey, ...(endUser !== undefined && { 'x-end-user': endUser }) };
  const { data } = await app.run<
    { generations: { edges: readonly { node: { prompt: string } }[] } },
    Record<string, never>
  >('{ generations { edges { node { prompt } } } }', {}, { headers });
  return data?.generations.edges.map(({ node }) => node.prompt) ?? [];
}

/** The final text of the chat, queried from Gengraph directly. */
async function textOf({ app }: Federation, id: string): Promise<string> {
  const generation = await findGeneration(app, id);
  return generation?.output?.choices[0]?.message.content ?? '';
}

interface CutWatch {
  readonly proxy: TcpProxy;
  readonly gateway: ScriptedGateway;
  readonly cuts: number;
}

/**
 * Subscribes until the end, and subscribes again after a failure. The gateway sends the next word after each snapshot. Each of
 * the first words breaks the connection when it has arrived.
 */
async function watchThroughCuts(watch: () => AsyncIterable<ChatEvent>, { proxy, gateway, cuts }: CutWatch) {
  const events: ChatEvent[] = [];
  const failures: unknown[] = [];
  let left = cuts;
  while (!events.at(-1)?.__typename.match(/Completed|Failed|Canceled/) && failures.length <= cuts)
    try {
      for await (const event of watch()) {
        events.push(event);
        if (event.__typename === 'ChatSnapshot') {
          const exchange = await gateway.exchange(0);
          exchange.send(...words(`word ${left} `), ...(left === 0 ? ['[DONE]'] : []));
        } else if (event.__typename === 'ChatDelta' && left > 0) {
          left -= 1;
          proxy.cut();
        }
      }
    } catch (error) {
      failures.push(error);
    }
  expect(gateway.requests).toHaveLength(1);
  return { events, failures, cuts: cuts - left };
}

/** Starts a chat that the gateway has accepted. @returns its id */
async function startAccepted({ app }: Federation, gateway: ScriptedGateway): Promise<string> {
  const starting = startChat(app, { input: story });
  (await gateway.exchange(0)).accept();
  return made(await starting).id;
}

test('a credential that a router nests one level deeper in connection_init is found', async () => {
  await using federation = await startFederation();
  const { id } = made(await startChat(federation.app, { input: story }));
  const client = federation.app.wsClient({
    connectionParams: { connectionParams: { token: sandboxKey.authorization } },
  });
  expect((await toEnd(chatEvents(client, { id }))).at(-1)?.__typename).toBe('ChatCompleted');
});

describe('through Hive Gateway over graphql-ws', () => {
  test.each(credentials)(
    'a chat stream arrives completely, with the credential %s',
    async (_how, options) => {
      await using federation = await startFederation();
      await using gateway = await startHiveGateway(federation.supergraph, options);
      const client = federation.app.wsClient({ url: toSocketUrl(gateway.url) });
      const { id } = made(await startChat(federation.app, { input: story }));
      const events = await toEnd(chatEvents(client, { id }));
      expect(events.at(-1)?.__typename).toBe('ChatCompleted');
      expect(foldedText(events)).toBe(await textOf(federation, id));
      await client.dispose();
    },
  );

  test('a credential in the client’s upgrade headers is sufficient; without one the operation is UNAUTHENTICATED', async () => {
    await using federation = await startFederation();
    await using gateway = await startHiveGateway(federation.supergraph);
    const { id } = made(await startChat(federation.app, { input: story }));
    class WithHeader extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers: sandboxKey });
      }
    }
    const url = toSocketUrl(gateway.url);
    const known = federation.app.wsClient({ url, connectionParams: {}, webSocketImpl: WithHeader });
    expect((await toEnd(chatEvents(known, { id }))).at(-1)?.__typename).toBe('ChatCompleted');
    const unknown = federation.app.wsClient({ url, connectionParams: {} });
    await expect(toEnd(chatEvents(unknown, { id }))).rejects.toThrow('UNAUTHENTICATED');
    await Promise.all([known.dispose(), unknown.dispose()]);
  });

  test.each(credentials)(
    'connectionParams in any spelling identify the caller, forwarded %s, for subscriptions and mutations',
    async (_how, options) => {
      await using federation = await startFederation();
      await using gateway = await startHiveGateway(federation.supergraph, options);
      const prompts: string[] = [];
      for (const [index, connectionParams] of bob.entries()) {
        const client = federation.app.wsClient({ url: toSocketUrl(gateway.url), connectionParams });
        const watched = await toEnd(
          streamChat(client, { input: ask(`Watched ${index}`), idempotencyKey: randomUUID() }),
        );
        expect(watched.at(-1)?.__typename).toBe('ChatCompleted');
        const mutation = client.iterate({
          query: startChatQuery,
          variables: { input: ask(`Started ${index}`), idempotencyKey: randomUUID() },
        });
        for await (const { data, errors } of mutation) {
          expect(errors).toBeUndefined();
          expect(data?.['startChat']).toMatchObject({ __typename: 'Generation' });
        }
        prompts.unshift(`Started ${index}`, `Watched ${index}`);
        await client.dispose();
      }
      expect(await promptsOf(federation, 'bob')).toEqual(prompts);
      expect(await promptsOf(federation)).toEqual([]);
    },
  );

  test('connectionParams that are invalid as headers are ignored, and the upgrade headers apply', async () => {
    await using federation = await startFederation();
    await using gateway = await startHiveGateway(federation.supergraph);
    class WithHeader extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers: { ...sandboxKey, 'x-end-user': 'bob' } });
      }
    }
    const client = federation.app.wsClient({
      url: toSocketUrl(gateway.url),
      webSocketImpl: WithHeader,
      connectionParams: {
        Authorization: '',
        'X-End-User': 'a\r\nx-evil: 1',
        'X-Request-Id': { nested: true },
      },
    });
    await toEnd(streamChat(client, { input: ask('Hello'), idempotencyKey: randomUUID() }));
    expect(await promptsOf(federation, 'bob')).toEqual(['Hello']);
    await client.dispose();
  });

  test('a client that reconnects to the router gets every event once', async () => {
    const upstream = await startScriptedGateway();
    await using federation = await startFederation({ gatewayUrl: upstream.url });
    await using gateway = await startHiveGateway(federation.supergraph);
    const proxy = await startTcpProxy(gateway.url);
    const client = federation.app.wsClient({
      url: toSocketUrl(proxy.url),
      retryAttempts: 5,
      retryWait: () => Promise.resolve(),
    });
    const id = await startAccepted(federation, upstream);
    const { events, cuts, failures } = await watchThroughCuts(() => chatEvents(client, { id }), {
      proxy,
      gateway: upstream,
      cuts: 3,
    });
    expect([cuts, failures]).toEqual([3, []]);
    expect(proxy.connections).toBe(4);
    expect(events.filter(({ __typename }) => __typename === 'ChatSnapshot')).toHaveLength(4);
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    expect(foldedText(events)).toBe(await textOf(federation, id));
    await client.dispose();
  });

  test('if the router’s own connection breaks, the subscription fails and the next one continues', async () => {
    const upstream = await startScriptedGateway();
    await using federation = await startFederation({ gatewayUrl: upstream.url });
    const proxy = await startTcpProxy(federation.app.url);
    await using gateway = await startHiveGateway(federation.at(proxy.url));
    const client = federation.app.wsClient({ url: toSocketUrl(gateway.url) });
    const id = await startAccepted(federation, upstream);
    const { events, cuts, failures } = await watchThroughCuts(() => chatEvents(client, { id }), {
      proxy,
      gateway: upstream,
      cuts: 3,
    });
    expect([cuts, failures.length]).toEqual([3, 3]);
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    expect(foldedText(events)).toBe(await textOf(federation, id));
    await client.dispose();
  });

  test('a chat with a key is sent once, however often its client reconnects', async () => {
    const upstream = await startScriptedGateway();
    await using federation = await startFederation({ gatewayUrl: upstream.url });
    await using gateway = await startHiveGateway(federation.supergraph);
    const proxy = await startTcpProxy(gateway.url);
    const client = federation.app.wsClient({
      url: toSocketUrl(proxy.url),
      retryAttempts: 5,
      retryWait: () => Promise.resolve(),
    });
    const variables = { input: story, idempotencyKey: randomUUID() };
    void upstream.exchange(0).then(({ accept }) => accept());
    const { events, cuts } = await watchThroughCuts(() => streamChat(client, variables), {
      proxy,
      gateway: upstream,
      cuts: 2,
    });
    expect(cuts).toBe(2);
    const last = events.at(-1);
    expect(last?.__typename).toBe('ChatCompleted');
    expect(foldedText(events)).toBe(await textOf(federation, last?.generationId ?? ''));
    await client.dispose();
  });

  test('two subscribers of the same chat each start with a snapshot', async () => {
    await using federation = await startFederation({ sandbox: { tokensPerSecond: 300 } });
    await using gateway = await startHiveGateway(federation.supergraph);
    const client = federation.app.wsClient({ url: toSocketUrl(gateway.url) });
    const { id } = made(await startChat(federation.app, { input: story }));
    const watches = await Promise.all([1, 2].map(() => toEnd(chatEvents(client, { id }))));
    for (const events of watches) {
      expect(events[0]?.__typename).toBe('ChatSnapshot');
      expect(foldedText(events)).toBe(await textOf(federation, id));
    }
    await client.dispose();
  });

  test('the end of a chat carries fields of the other subgraph', async () => {
    await using federation = await startFederation();
    await using gateway = await startHiveGateway(federation.supergraph);
    const client = federation.app.wsClient({ url: toSocketUrl(gateway.url) });
    const { id } = made(await startChat(federation.app, { input: story }));
    federation.reviewsSubgraph.reviews.push({ id: 'review_1', stars: 5, generation: id });
    const ends: unknown[] = [];
    const stream = client.iterate({
      query: `subscription { chatEvents(id: "${id}") { sequence ... on ChatCompleted { generation { status stars headline } } } }`,
    });
    for await (const { data } of stream) ends.push(data?.['chatEvents']);
    expect(ends.at(-1)).toMatchObject({
      generation: { status: 'SUCCEEDED', stars: 5, headline: expect.stringContaining('Zoë') },
    });
    await client.dispose();
  });

  test.each(credentials)(
    'tasksProgress carries fields of the other subgraph and survives a cut, with the credential %s',
    async (_how, options) => {
      await using federation = await startFederation({
        sandbox: { taskSeconds: 2 },
        env: { TASK_POLL_SECONDS: '0.05' },
      });
      await using gateway = await startHiveGateway(federation.supergraph, options);
      const proxy = await startTcpProxy(gateway.url);
      const client = federation.app.wsClient({
        url: toSocketUrl(proxy.url),
        retryAttempts: 5,
        retryWait: () => Promise.resolve(),
      });
      const song = await federation.app.run(CreateSongDocument, {
        input: { description: 'rain', model: 'SONG_V5' },
      });
      if (song.data?.createSong?.__typename !== 'Generation') throw new Error(JSON.stringify(song));
      const task = song.data.createSong.task?.id ?? '';
      federation.reviewsSubgraph.reviews.push({ id: 'review_0', stars: 4, task });
      const beforeCut: unknown[] = [];
      const afterCut: unknown[] = [];
      const progress = client.iterate<{ tasksProgress: { status: string } }>({
        query: `subscription { tasksProgress(ids: ["${task}"]) { status stars headline generation { prompt } } }`,
      });
      for await (const { data, errors } of progress) {
        expect(errors).toBeUndefined();
        expect(data?.tasksProgress).toMatchObject({ stars: 4, headline: expect.stringMatching(/^About ./) });
        if (beforeCut.length > 0) afterCut.push(data?.tasksProgress.status);
        else {
          beforeCut.push(data?.tasksProgress.status);
          proxy.cut();
        }
      }
      expect(proxy.connections).toBe(2);
      expect(beforeCut).not.toContain('SUCCEEDED');
      // On a busy machine, the song can end before the client is connected again.
      expect(afterCut.at(-1)).toBe('SUCCEEDED');
      await client.dispose();
    },
  );
});
