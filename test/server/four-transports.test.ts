import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { startCallbackRouter, subscribeByCallback } from '../support/callback-router.ts';
import { ask, chatEventsQuery, made, startChat } from '../support/chats.ts';
import { openEventStream, partsOf } from '../support/http.ts';
import { createInbox, type Inbox } from '../support/inbox.ts';
import { chunk, startScriptedGateway, words } from '../support/scripted-gateway.ts';

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
  router.answer = ({ body }) => {
    if (body.action === 'next') results.push(JSON.stringify(body.payload));
    if (body.action === 'complete') results.push('end');
    return 204;
  };
  expect((await subscribeByCallback(app, router, payload)).json).toEqual({ data: null });
  return results;
}

test('multipart, server-sent events, WebSocket and callbacks carry the same events of a chat', async () => {
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
  const all = [
    overWebSocket(app, payload),
    await overEvents(app, payload),
    await overParts(app, payload),
    await overCallbacks(app, router, payload),
  ];
  /** Until every client has this many results: then none of them merges deltas. */
  const reach = (count: number) => Promise.all(all.map((results) => results.at(count - 1)));
  await reach(1);
  const steps = [words('b'), words('😀', 'Zoë'), [chunk({ reasoning_content: 'c' })], [chunk({}, 'stop')]];
  for (const [index, step] of steps.entries()) {
    exchange.send(...step);
    await reach(index + 2);
  }
  exchange.send('[DONE]');
  await reach(steps.length + 3);
  const [first, ...others] = all.map((results) => results.all);
  expect(first?.at(-1)).toBe('end');
  expect(first?.at(-2)).toContain('ChatCompleted');
  for (const other of others) expect(other).toEqual(first);
});
