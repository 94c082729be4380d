import { createClient as createSseClient } from 'graphql-sse';
import type { Client } from 'graphql-ws';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sandboxKey, startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import {
  ask,
  createChatCompletion,
  createChatCompletionQuery,
  type Created,
  type CreateVariables,
  made,
  nextEvent,
  startChatQuery,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { openEventStream, toArray } from '../support/http.ts';
import { createInbox } from '../support/inbox.ts';
import { chunk, startScriptedGateway, words } from '../support/scripted-gateway.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const path = '/v1/chat/completions';

interface Net extends AsyncDisposable {
  readonly app: TestApp;
  readonly proxy: TcpProxy;
  /** The stock client, through the proxy, without its wait between attempts. */
  readonly client: Client;
  /** Ids of the operations that reached the server, including retries. */
  readonly operations: { readonly at: (index: number) => Promise<string>; readonly all: readonly string[] };
}

async function startNet(options: TestAppOptions = {}): Promise<Net> {
  const operations = createInbox<string>();
  const app = await startApp({
    env: { SHUTDOWN_SECONDS: '0.05' },
    ...options,
    onLog({ operationId }) {
      if (typeof operationId === 'string') operations.push(operationId);
    },
  });
  const proxy = await startTcpProxy(app.url);
  const client = app.wsClient({
    url: proxy.url.replace('http', 'ws'),
    retryAttempts: 5,
    retryWait: () => Promise.resolve(),
  });
  return { app, proxy, client, operations, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

async function runOverSocket(client: Client, query: string, variables: CreateVariables): Promise<Created> {
  const results = client.iterate<Record<string, Created>>({ query, variables: { ...variables } });
  for await (const { data, errors } of results) {
    const [first] = Object.values(data ?? {});
    if (errors || !first) throw new Error(JSON.stringify(errors));
    return first;
  }
  throw new Error('there was no result');
}

/** The event data of the sandbox's reply to a recorded request, in order. */
async function replyOf(sandboxUrl: string, body: string): Promise<readonly string[]> {
  const { events } = await openEventStream(`${sandboxUrl}${path}`, JSON.parse(body), { headers: sandboxKey });
  return (await toArray(events)).map(({ data }) => data);
}

const hasText = (data: string | undefined): boolean => /"content":"[^"]/.test(data ?? '');

describe('a stock client whose connection breaks', () => {
  test('repeatedly during a chat gets every byte once and is charged once', async () => {
    const gateway = await startScriptedGateway();
    await using net = await startNet({ gatewayUrl: gateway.url });
    const { app, proxy, client, operations } = net;
    const input = ask('Tell me a story in 350 words about 😀 and Zoë.');
    const watching = streamChat(client, { input });
    const first = watching.next();
    const exchange = await gateway.exchange(0);
    const reply = [...(await replyOf(app.sandbox.url, exchange.text))];
    expect(reply.filter(hasText).length).toBeGreaterThan(300);
    exchange.accept();
    const { value: snapshot } = await first;
    const events = snapshot ? [snapshot] : [];
    /** Sends the reply up to its next word. Called for each event that arrives, so that events never merge. */
    const sendOn = (): void => {
      let data: string | undefined;
      do {
        data = reply.shift();
        if (data !== undefined) exchange.send(data);
      } while (data !== undefined && !(hasText(data) && reply.some(hasText)));
      if (data === undefined) exchange.end();
    };
    sendOn();
    let cuts = 0;
    let sinceSnapshot = 0;
    for await (const event of watching) {
      events.push(event);
      sinceSnapshot = event.__typename === 'ChatSnapshot' ? 0 : sinceSnapshot + 1;
      if (sinceSnapshot === 6 && cuts < 5) {
        proxy.cut();
        cuts += 1;
      } else if (reply.length > 0) sendOn();
    }
    expect(cuts).toBe(5);
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    expect(gateway.requests).toEqual([`POST ${path}`]);
    expect(operations.all).toHaveLength(6);
    expect(new Set(operations.all).size).toBe(1);
    expect(events.filter(({ __typename }) => __typename === 'ChatSnapshot')).toHaveLength(6);
    await using direct = await startApp({ gatewayUrl: app.sandbox.url });
    const whole = made(await createChatCompletion(direct, { input }));
    expect(foldedText(events)).toBe(whole.output?.choices[0]?.message.content);
    expect(events.at(-1)).toHaveProperty('ended.usage', whole.usage);
  });

  test('during a chat receives the events that it missed', async () => {
    const gateway = await startScriptedGateway();
    await using net = await startNet({ gatewayUrl: gateway.url });
    const { proxy, client, operations } = net;
    const events = streamChat(client, { input: ask('Hello') });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const seen = [await first];
    exchange.send(...words('a'));
    seen.push(await nextEvent(events));
    proxy.cut();
    exchange.send(...words('b', 'c'));
    const back = await nextEvent(events);
    expect(back).toMatchObject({ __typename: 'ChatSnapshot', generationId: seen[0]?.generationId });
    seen.push(back);
    exchange.send(chunk({ content: 'd' }, 'stop'), '[DONE]');
    seen.push(...(await toEnd(events)));
    expect(foldedText(seen)).toBe('abcd');
    expect(gateway.requests).toHaveLength(1);
    expect(await operations.at(1)).toBe(await operations.at(0));
  });

  test('before a chat is accepted attaches to the request in flight', async () => {
    const gateway = await startScriptedGateway();
    await using net = await startNet({ gatewayUrl: gateway.url });
    const { proxy, client, operations } = net;
    const watching = toEnd(streamChat(client, { input: ask('Hello') }));
    const exchange = await gateway.exchange(0);
    proxy.cut();
    await operations.at(1);
    exchange.send(...words('a'), '[DONE]');
    expect(foldedText(await watching)).toBe('a');
    expect(gateway.requests).toHaveLength(1);
  });

  test('after the chat has ended receives its end', async () => {
    const gateway = await startScriptedGateway();
    await using net = await startNet({ gatewayUrl: gateway.url });
    const { app, proxy, client } = net;
    const events = streamChat(client, { input: ask('Hello') });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const seen = [await first];
    proxy.cut();
    exchange.send(...words('a'), '[DONE]');
    seen.push(...(await toEnd(events)));
    expect(foldedText(seen)).toBe('a');
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
    expect(app.app.activity.streams).toBe(0);
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([
    ['startChat', startChatQuery],
    ['createChatCompletion', createChatCompletionQuery],
  ])('during a %s mutation gets the generation of its first attempt', async (field, query) => {
    const gateway = await startScriptedGateway();
    await using net = await startNet({ gatewayUrl: gateway.url });
    const { proxy, client, operations } = net;
    const creating = runOverSocket(client, query, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    proxy.cut();
    expect(await operations.at(1)).toBe(await operations.at(0));
    if (field === 'startChat') exchange.send(...words('a'), '[DONE]');
    else exchange.reply(200, { choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }] });
    const { id } = made(await creating);
    expect(gateway.requests).toHaveLength(1);
    expect(id).toMatch(/^generation_/);
  });

  test('between two aliased creates of one mutation sends each create once', async () => {
    const gateway = await startScriptedGateway();
    await using net = await startNet({ gatewayUrl: gateway.url });
    const { proxy, client, operations } = net;
    const query = `mutation ($input: ChatInput!) {
      one: startChat(input: $input) { ... on Generation { id } }
      two: startChat(input: $input) { ... on Generation { id } }
    }`;
    const results = client.iterate<Record<'one' | 'two', { id: string }>>({
      query,
      variables: { input: ask('Hello') },
    });
    const running = results.next();
    (await gateway.exchange(0)).send('[DONE]');
    const second = await gateway.exchange(1);
    proxy.cut();
    await operations.at(1);
    second.send('[DONE]');
    const { value } = await running;
    const { one, two } = value?.data ?? {};
    expect(one?.id).toMatch(/^generation_/);
    expect(two?.id).not.toBe(one?.id);
    expect(gateway.requests).toHaveLength(2);
  });
});

test('a stock client of server-sent events with its own key continues where it broke', async () => {
  const gateway = await startScriptedGateway();
  await using net = await startNet({ gatewayUrl: gateway.url });
  const { proxy } = net;
  const client = createSseClient({
    url: proxy.url,
    headers: sandboxKey,
    retryAttempts: 5,
    retry: () => Promise.resolve(),
  });
  onTestFinished(() => client.dispose());
  const events = streamChat(client, { input: ask('Hello'), idempotencyKey: 'mine' });
  const first = nextEvent(events);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const seen = [await first];
  exchange.send(...words('a'));
  seen.push(await nextEvent(events));
  proxy.cut();
  exchange.send(...words('b'));
  seen.push(await nextEvent(events));
  exchange.send(...words('c'), '[DONE]');
  seen.push(...(await toEnd(events)));
  expect(seen.filter(({ __typename }) => __typename === 'ChatSnapshot')).toHaveLength(2);
  expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
  expect(foldedText(seen)).toBe('abc');
  expect(gateway.requests).toHaveLength(1);
});
