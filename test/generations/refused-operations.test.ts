import type { Client } from 'graphql-ws';
import { describe, expect, test } from 'vitest';
import { startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { ask, nextEvent, startChatQuery, streamChat, toEnd } from '../support/chats.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { startScriptedGateway } from '../support/scripted-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { nameOf, type RequestMembers } from '../capabilities/members/request-members.ts';
import { requests } from '../capabilities/members/requests.ts';

const cuts = 4;
const headers = { authorization: 'Bearer sk-refused', 'new-api-user': '1' };

const creates = requests
  .filter(({ field }) => findRootField(field)?.field.args.some(({ name }) => name === 'idempotencyKey'))
  .map((request) => [nameOf(request), request] as const);

const refusal = { error: { message: 'slow down', code: 'no', param: null } };
/** Refusals of the gateway, and the code that clients get. */
const refusals = [
  [429, 'RATE_LIMITED'],
  [500, 'GATEWAY_ERROR'],
  [200, 'GATEWAY_ERROR'],
] as const;

type Answer = Readonly<
  Record<string, { readonly error?: { readonly code: string }; readonly code?: string }>
>;

/** The stock client, behind a proxy that cuts the connection at the first messages which match. */
async function startCutClient(
  app: TestApp,
  atMessage: RegExp,
): Promise<{ client: Client; cuts: () => number }> {
  let cutSoFar = 0;
  const proxy = await startTcpProxy(app.url, {
    shouldCut: (reply) => atMessage.test(reply) && cutSoFar < cuts && (cutSoFar += 1) > 0,
  });
  const client = app.wsClient({
    url: proxy.url.replace('http', 'ws'),
    connectionParams: headers,
    retryAttempts: 5,
    retryWait: () => Promise.resolve(),
  });
  return { client, cuts: () => cutSoFar };
}

async function lastAnswer(
  client: Client,
  query: string,
  variables: object,
): Promise<Answer[string] | undefined> {
  let last: Answer[string] | undefined;
  for await (const { data, errors } of client.iterate<Answer>({ query, variables: { ...variables } })) {
    if (errors) throw new Error(JSON.stringify(errors));
    [last] = Object.values(data ?? {});
  }
  return last;
}

/** Selects the code of the error, however the field reports it. */
function selectionOf(request: RequestMembers): string {
  if (findRootField(request.field)?.kind !== 'subscription') return '... on GengraphError { code }';
  return request.field === 'streamChat'
    ? '... on ChatFailed { error { code } }'
    : '... on ImageFailed { error { code } }';
}

describe.each(refusals)(
  'a create that the gateway refuses with %s, whose connection is cut at its answer',
  (status, code) => {
    test.each(creates)('is sent once by %s of the stock client', async (_name, request) => {
      const gateway = await startFakeGateway((_request, response) => sendJson(response, refusal, status));
      await using app = await startApp({ gatewayUrl: gateway.url, env: { SHUTDOWN_SECONDS: '0.05' } });
      const cut = await startCutClient(app, /"type":"next"/);
      const root = findRootField(request.field);
      if (!root) throw new Error(request.field);
      const { idempotencyKey: _key, ...variables } = { ...request.calls[0] } as Record<string, unknown>;
      const answer = await lastAnswer(
        cut.client,
        operationOf(root, variables, selectionOf(request)),
        variables,
      );
      expect(answer?.error?.code ?? answer?.code).toBe(code);
      expect(cut.cuts()).toBe(cuts);
      expect(gateway.requests).toHaveLength(1);
    });
  },
);

describe('a repeated operation whose create was refused', () => {
  const id = 'fcb2d1a5-6f4e-4f9e-8d3c-2b7a90f1c5e4';
  const input = ask('Hello');
  const refused = { code: 'RATE_LIMITED' };

  async function startRefusing(options: TestAppOptions = {}) {
    const gateway = await startFakeGateway((_request, response) => sendJson(response, refusal, 429));
    const app = await startApp({ gatewayUrl: gateway.url, ...options });
    const start = (variables: object, connectionParams = headers) =>
      lastAnswer(app.wsClient({ generateID: () => id, connectionParams }), startChatQuery, variables);
    return { gateway, start, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  }

  test('is sent again by another caller or with a key of the client, and conflicts with another input', async () => {
    await using refusing = await startRefusing();
    const { gateway, start } = refusing;
    expect(await start({ input })).toMatchObject(refused);
    expect(await start({ input })).toMatchObject(refused);
    expect(gateway.requests).toHaveLength(1);
    expect(await start({ input: ask('Bye') })).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(gateway.requests).toHaveLength(1);
    await start({ input }, { ...headers, authorization: 'Bearer sk-other' });
    expect(gateway.requests).toHaveLength(2);
    await start({ input, idempotencyKey: 'mine' });
    await start({ input, idempotencyKey: 'mine' });
    expect(gateway.requests).toHaveLength(4);
  });

  test('is sent again after ten minutes', async () => {
    const clock = createManualClock();
    await using refusing = await startRefusing({ overrides: { clock } });
    const { gateway, start } = refusing;
    await start({ input });
    clock.advance(599_000);
    expect(await start({ input })).toMatchObject(refused);
    expect(gateway.requests).toHaveLength(1);
    await expect
      .poll(async () => {
        clock.advance(60_000);
        await start({ input });
        return gateway.requests.length;
      })
      .toBe(2);
  });
});

test('a chat that is refused after its first event, whose connection is cut at its end, is sent once', async () => {
  const clock = createManualClock();
  const gateway = await startScriptedGateway();
  await using app = await startApp({ gatewayUrl: gateway.url, overrides: { clock } });
  const cut = await startCutClient(app, /ChatFailed/);
  const events = streamChat(cut.client, { input: ask('Hello') });
  const first = nextEvent(events);
  const exchange = await gateway.exchange(0);
  clock.advance(10_000);
  const { generationId } = await first;
  exchange.reply(429, refusal);
  const seen = await toEnd(events);
  expect(seen.at(-1)).toMatchObject({
    __typename: 'ChatFailed',
    generationId,
    error: { code: 'RATE_LIMITED' },
  });
  expect(cut.cuts()).toBe(cuts);
  expect(gateway.requests).toHaveLength(1);
});
