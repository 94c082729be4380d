import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { GenerationChangedDocument } from '../../src/client/documents.generated.ts';
import { type Api, apiAt, subscribe } from '../support/app.ts';
import {
  ask,
  type ChatEvent,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  startChatQuery,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { startApolloGateway } from '../support/federation/apollo-gateway.ts';
import { type Federation, startFederation } from '../support/federation/federation.ts';
import { startHiveGateway } from '../support/federation/hive-gateway.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { chunk, startScriptedGateway, words } from '../support/scripted-gateway.ts';
import { bearer, mint, signInBySecret } from '../support/sign-in.ts';

/** With the messages for a name beside a token, and for an expired token. */
const gateways = [
  // It replaces the message of a reply that is no success by its status.
  ['Apollo’s JavaScript gateway', startApolloGateway, ['400: Bad Request', '401: Unauthorized']],
  [
    'Hive Gateway',
    startHiveGateway,
    [expect.stringContaining('X-End-User'), 'The token has expired. Send a new one.'],
  ],
] as const;

type Headers = Readonly<Record<string, string>>;

async function start(startGateway: (typeof gateways)[number][1], gatewayUrl?: string) {
  // Times in tokens are whole seconds.
  const clock = createManualClock(Math.floor(Date.now() / 1000) * 1000);
  const federation = await startFederation({
    ...(gatewayUrl !== undefined && { gatewayUrl }),
    env: { ...signInBySecret, SHUTDOWN_SECONDS: '0.05' },
    overrides: { clock },
  });
  onTestFinished(() => federation[Symbol.asyncDispose]());
  const gateway = await startGateway(federation.supergraph);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return {
    federation,
    router: apiAt(gateway.url),
    clock,
    /** A token for a minute. */
    tokenOf: async (user: string) => bearer(await mint(user, { now: clock.now(), lifeSeconds: 60 })),
    /** Until the tokens of this moment have expired, with the clock tolerance. */
    expire: () => clock.advance(65_000),
  };
}

/** The prompts of the chats that a caller sees. */
async function promptsOf(api: Api, headers: Headers): Promise<readonly string[]> {
  const query = '{ generations { edges { node { prompt } } } }';
  const { data } = await api.run<
    { readonly generations: { readonly edges: readonly { readonly node: { readonly prompt: string } }[] } },
    object
  >(query, {}, { headers });
  return data?.generations.edges.map(({ node }) => node.prompt) ?? [];
}

/** The ids of the reviewed generations that a caller sees. The router reads them from both subgraphs. */
async function reviewedBy(api: Api, headers: Headers): Promise<readonly unknown[]> {
  type Edge = {
    readonly node: { readonly generation: { readonly id: string; readonly status: string } | null };
  };
  const query = '{ reviews { edges { node { generation { id status } } } } }';
  const { data } = await api.run<{ readonly reviews: { readonly edges: readonly Edge[] } }, object>(
    query,
    {},
    { headers },
  );
  return data?.reviews.edges.map(({ node }) => node.generation?.id ?? null) ?? [];
}

function review({ reviewsSubgraph }: Federation, ids: readonly string[]): void {
  for (const [index, generation] of ids.entries())
    reviewsSubgraph.reviews.push({ id: `review_${index}`, stars: 5, generation });
}

describe.each(gateways)('users who sign in behind %s', (_name, startGateway, refusals) => {
  test('each see only their own records, with queries, mutations and entities of both subgraphs', async () => {
    const { federation, router, tokenOf } = await start(startGateway);
    const users = ['ann', 'bob'];
    const tokens = await Promise.all(users.map(tokenOf));
    // The same key and input: two users, two generations.
    const ids = await Promise.all(
      tokens.map(async (headers) => {
        const create = { input: ask('Hello'), idempotencyKey: 'k' };
        return made(await createChatCompletion(router, create, headers)).id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
    expect(federation.app.sandbox.activity.count('/v1/chat/completions')).toBe(2);
    review(federation, ids);
    for (const [index, headers] of tokens.entries()) {
      expect(await promptsOf(router, headers)).toEqual(['Hello']);
      const seen = await Promise.all(ids.map((id) => findGeneration(router, id, headers)));
      expect(seen.map((generation) => generation?.id)).toEqual(
        ids.map((id, owner) => (owner === index ? id : undefined)),
      );
      expect(await reviewedBy(router, headers)).toEqual(
        ids.map((id, owner) => (owner === index ? id : null)),
      );
    }
    for (const request of federation.app.sandbox.activity.requests('/v1/chat/completions'))
      expect(request.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test('are refused without a token, with an expired one, and with the name of a user beside it', async () => {
    const { router, tokenOf, expire } = await start(startGateway);
    const headers = await tokenOf('ann');
    const list = '{ generations(first: 1) { totalCount } }';
    const ask = async (sent: Headers) => (await router.run(list, {}, { headers: sent })).errors?.[0];
    expect(await ask(headers)).toBeUndefined();
    expect(await ask({})).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
    const named = await ask({ ...headers, 'x-end-user': 'bob' });
    expire();
    const expired = await ask(headers);
    expect(expired).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
    expect([named?.message, expired?.message]).toEqual(refusals);
    expect(await ask(await tokenOf('ann'))).toBeUndefined();
  });
});

/** Clients of one user, by how they present the token. */
const transports: readonly (readonly [string, (router: Api, headers: Headers) => Client])[] = [
  ['in connectionParams', (router, headers) => router.wsClient({ connectionParams: headers })],
  [
    'in the upgrade request',
    (router, headers) =>
      router.wsClient({
        connectionParams: {},
        webSocketImpl: class extends WebSocket {
          constructor(url: string, protocols: string[]) {
            super(url, protocols, { headers });
          }
        },
      }),
  ],
  ['over server-sent events', (router, headers) => router.sseClient({ headers })],
];
type Client = ReturnType<Api['wsClient']> | ReturnType<Api['sseClient']>;

async function readUntil(
  events: AsyncIterator<ChatEvent, undefined>,
  sequence: number,
): Promise<readonly ChatEvent[]> {
  const seen = [await nextEvent(events)];
  while (seen.at(-1)?.sequence !== sequence) seen.push(await nextEvent(events));
  return seen;
}

describe('a subscription through Hive Gateway', () => {
  test.each(transports)('belongs to the user of its token: %s', async (_how, connect) => {
    const { federation, router, tokenOf } = await start(startHiveGateway);
    const [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')];
    const feeds = [ann, bob].map((headers) => {
      const seen = new Set<string>();
      void (async () => {
        for await (const { data } of subscribe(connect(router, headers), GenerationChangedDocument, {}))
          if (data && 'generationId' in data.generationChanged) seen.add(data.generationChanged.generationId);
      })().catch(() => {});
      return seen;
    });
    await expect.poll(() => federation.app.app.activity.feeds).toBe(2);
    // The same document, key and input at the same time.
    const create = { input: ask('Hello'), idempotencyKey: 'k' };
    const chats = await Promise.all(
      [ann, bob].map((headers) => toEnd(streamChat(connect(router, headers), create))),
    );
    const ids = chats.map((events) => events.at(-1)?.generationId ?? '');
    expect(chats.map((events) => events.at(-1)?.__typename)).toEqual(['ChatCompleted', 'ChatCompleted']);
    expect(new Set(ids).size).toBe(2);
    expect(federation.app.sandbox.activity.count('/v1/chat/completions')).toBe(2);
    for (const [index, seen] of feeds.entries())
      await expect.poll(() => [...seen]).toEqual(ids.slice(index, index + 1));
    await expect(toEnd(chatEvents(connect(router, bob), { id: ids[0] ?? '' }))).rejects.toThrow(/NOT_FOUND/);
    await expect(toEnd(chatEvents(connect(router, {}), { id: ids[0] ?? '' }))).rejects.toThrow(
      /UNAUTHENTICATED/,
    );
  });

  test('a mutation over a WebSocket belongs to the user of its token', async () => {
    const { router, tokenOf } = await start(startHiveGateway);
    const [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')];
    for (const [name, headers] of [
      ['Ann', ann],
      ['Bob', bob],
    ] as const) {
      const client = router.wsClient({ connectionParams: headers });
      const results = client.iterate({
        query: startChatQuery,
        variables: { input: ask(`Hello ${name}`), idempotencyKey: 'k' },
      });
      for await (const { data, errors } of results) {
        expect(errors).toBeUndefined();
        expect(data?.['startChat']).toMatchObject({ __typename: 'Generation' });
      }
    }
    expect([await promptsOf(router, ann), await promptsOf(router, bob)]).toEqual([
      ['Hello Ann'],
      ['Hello Bob'],
    ]);
  });

  test('ends when its token expires, and continues with a new one, paid for once, over every transport', async () => {
    const upstream = await startScriptedGateway();
    const { federation, router, tokenOf } = await start(startHiveGateway, upstream.url);
    // The router reads the real time.
    const short = bearer(await mint('ann', { lifeSeconds: 12 }));
    const opened: (() => Promise<void>)[] = [];
    // Without a key, the next subscription creates again. One that only follows creates nothing.
    const keyless = streamChat(router.wsClient({ connectionParams: short }), { input: ask('No key') });
    const snapshot = nextEvent(keyless);
    (await upstream.exchange(0)).send(...words('zero'));
    const id = (await snapshot).generationId ?? '';
    const follower = chatEvents(router.sseClient({ headers: short }), { id });
    await nextEvent(follower);
    opened.push(() => expect(toEnd(keyless)).rejects.toThrow(/expired.*UNAUTHENTICATED.*MAY_CHARGE_AGAIN/));
    opened.push(() => expect(toEnd(follower)).rejects.toThrow(/expired.*UNAUTHENTICATED.*AUTHENTICATE/));
    for (const [index, [how, connect]] of transports.entries()) {
      const create = { input: ask('Hello'), idempotencyKey: how };
      const events = streamChat(connect(router, short), create);
      const reading = readUntil(events, 2);
      const exchange = await upstream.exchange(index + 1);
      exchange.send(...words('one ', 'two '));
      await reading;
      opened.push(async () => {
        // Neither an end of the chat nor a silent end.
        await expect(nextEvent(events), how).rejects.toThrow(
          /The token has expired.*UNAUTHENTICATED.*SAME_KEY/,
        );
        exchange.send(...words('three '));
        const again = streamChat(connect(router, await tokenOf('ann')), create);
        const seen = [...(await readUntil(again, 3))];
        exchange.send(...words('four'), chunk({}, 'stop'), '[DONE]');
        exchange.end();
        seen.push(...(await toEnd(again)));
        expect(seen[0]?.__typename, how).toBe('ChatSnapshot');
        expect(seen.at(-1)?.__typename, how).toBe('ChatCompleted');
        expect(foldedText(seen), how).toBe('one two three four');
      });
    }
    await Promise.all(opened.map((goOn) => goOn()));
    await expect.poll(() => federation.app.app.activity.watchers).toBe(0);
    expect(upstream.requests).toHaveLength(1 + transports.length);
  });
});
