import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { startCallbackRouter, subscribeByCallback } from '../support/callback-router.ts';
import { ask, cancelGeneration, chatEventsQuery, type ChatEvent, made, startChat } from '../support/chats.ts';
import { foldChat } from '../support/fold-chat.ts';
import { openEventStream, partsOf } from '../support/http.ts';
import { createInbox, type Inbox } from '../support/inbox.ts';
import { chunk, type Exchange, startScriptedGateway, words } from '../support/scripted-gateway.ts';

interface Subscription {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** The results of a subscription, as text, and `end`. */
type Results = Inbox<string>;

function overWebSocket(app: TestApp, payload: Subscription): Results {
  const results = createInbox<string>();
  app.wsClient().subscribe(payload, {
    next: (result) => results.push(JSON.stringify(result)),
    error: (error) => results.push(`error: ${String(error)}`),
    complete: () => results.push('end'),
  });
  return results;
}

async function overEvents(app: TestApp, payload: Subscription): Promise<Results> {
  const results = createInbox<string>();
  const { events } = await openEventStream(app.url, payload, { headers: sandboxKey });
  void (async () => {
    for await (const { event, data } of events) results.push(event === 'complete' ? 'end' : data);
  })();
  return results;
}

async function overParts(app: TestApp, payload: Subscription): Promise<Results> {
  const results = createInbox<string>();
  const request = httpRequest(app.url, {
    method: 'POST',
    headers: {
      ...sandboxKey,
      'content-type': 'application/json',
      accept: 'multipart/mixed;subscriptionSpec=1.0',
    },
  });
  request.end(JSON.stringify(payload));
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  let text = '';
  let count = 0;
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    const isOver = text.endsWith('--\r\n');
    // A part ends with the next boundary.
    const whole = isOver ? text : `${text}--\r\n`;
    if (!/--graphql(--\r\n)?$/.test(text)) return;
    const parts = partsOf(whole) as readonly { readonly payload?: unknown }[];
    for (const part of parts.slice(count)) if (part.payload) results.push(JSON.stringify(part.payload));
    count = parts.length;
    if (isOver) results.push('end');
  });
  return results;
}

async function overCallbacks(
  app: TestApp,
  router: Awaited<ReturnType<typeof startCallbackRouter>>,
  payload: Subscription,
) {
  const results = createInbox<string>();
  let answered: Promise<void> | undefined;
  router.answer = async ({ body }) => {
    if (body.action === 'next') results.push(JSON.stringify(body.payload));
    if (body.action === 'complete') results.push('end');
    if (body.action === 'next') await answered;
    return 204;
  };
  expect((await subscribeByCallback(app, router, payload)).json).toEqual({ data: null });
  const answerLate = (): PromiseWithResolvers<void> => {
    const late = Promise.withResolvers<void>();
    answered = late.promise;
    return late;
  };
  return { results, answerLate };
}

/** The events of these results, without the end of the response. */
function eventsOf(results: Results): readonly ChatEvent[] {
  // As selected by `chatEventsQuery`.
  const parsed = results.all.slice(0, -1).map((text) => JSON.parse(text) as ExecutionResult<Chat>);
  return parsed.flatMap(({ data }) => (data ? [data.chatEvents] : []));
}

interface Chat {
  readonly chatEvents: ChatEvent;
}

const toolCall = (call: object): object => chunk({ tool_calls: [{ index: 0, ...call }] });
const usage = { id: 'c1', choices: [], usage: { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 } };

type EndChat = (exchange: Exchange, app: TestApp, id: string) => unknown;
const ends: readonly (readonly [ChatEvent['__typename'], string, EndChat])[] = [
  ['ChatCompleted', '"totalTokens":12', (exchange) => exchange.send(usage, '[DONE]')],
  [
    'ChatFailed',
    'The model broke down.',
    (exchange) => exchange.send({ error: { message: 'The model broke down.' } }),
  ],
  ['ChatCanceled', '"status":"CANCELED"', (_exchange, app, id) => cancelGeneration(app, { id })],
];

test.each(ends)(
  'multipart, server-sent events, WebSocket and callbacks carry the same events of a chat up to %s',
  async (last, ending, endChat) => {
    const [router, gateway] = [await startCallbackRouter(), await startScriptedGateway()];
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: { CALLBACK_URLS: router.url, SHUTDOWN_SECONDS: '0.05' },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    const starting = startChat(app, { input: ask('hello'), idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    exchange.send(chunk({ role: 'assistant', content: 'a' }));
    const { id } = made(await starting);
    const payload = { query: chatEventsQuery, variables: { id } };
    const socket = overWebSocket(app, payload);
    const direct = [socket, await overEvents(app, payload), await overParts(app, payload)];
    const posted = await overCallbacks(app, router, payload);
    const all = [...direct, posted.results];
    /** Sends each step once these clients have the steps before it, so that none of them merges deltas. */
    const send = async (steps: readonly (readonly object[])[], clients: readonly Results[]) => {
      for (const step of steps) {
        const count = Math.max(...clients.map((results) => results.all.length));
        exchange.send(...step);
        await Promise.all(clients.map((results) => results.at(count)));
      }
    };
    await Promise.all(all.map((results) => results.at(0)));
    const steps = [
      words('b'),
      words('😀', 'Zoë'),
      [chunk({ reasoning_content: 'c' })],
      [toolCall({ id: 'call', type: 'function', function: { name: 'sum', arguments: '{"a"' } })],
      [toolCall({ function: { arguments: ':1}' } })],
    ];
    await send(steps, all);
    // The router answers one post late: what comes meanwhile is one event for it.
    const late = posted.answerLate();
    await send([words('d')], all);
    await send([words('e'), words('f'), words('g'), [chunk({}, 'tool_calls')]], direct);
    late.resolve();
    const alike = steps.length + 2;
    await posted.results.at(alike);
    await endChat(exchange, app, id);
    await Promise.all(all.map((results) => results.when((found) => found.at(-1) === 'end')));

    expect(socket.all.at(-2)).toContain(ending);
    for (const results of direct) expect(results.all).toEqual(socket.all);
    const [events, merged] = [eventsOf(socket), eventsOf(posted.results)];
    expect(events.map((event) => event.__typename)).toEqual([
      'ChatSnapshot',
      ...Array.from({ length: 10 }, () => 'ChatDelta'),
      last,
    ]);
    expect(merged.slice(0, alike)).toEqual(events.slice(0, alike));
    // One delta for the rest, under the same numbers: `foldChat` refuses gaps.
    expect(foldChat(merged)).toEqual(foldChat(events));
    expect(merged.at(-1)).toEqual(events.at(-1));
    expect(merged).toHaveLength(alike + 2);
  },
);
