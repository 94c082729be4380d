import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { QueueImageDocument } from '../../../src/client/documents.generated.ts';
import { longRunningMs } from '../../../src/server/admission/admission.ts';
import { sandboxKey, startApp } from '../../support/app.ts';
import { createInbox } from '../../support/inbox.ts';
import { sendJson, startFakeGateway } from '../../support/fake-gateway.ts';
import { postJson } from '../../support/http.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startReceiver } from '../../support/otlp-receiver.ts';
import { exchangeBytes, toBytes } from '../../support/raw-http.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';
import { bearer, createSigner, mint, signInByKeySet } from '../../support/sign-in.ts';
import { serve } from '../../support/serve.ts';

/** An issuer whose key set is sent when the test says so. */
async function startSlowKeySet(text: string) {
  const replies = createInbox<ServerResponse>();
  const { url } = await serve(createServer((_request, response) => replies.push(response)));
  return { url: `${url}/keys`, send: async () => void (await replies.at(0)).end(text) };
}

test('a client that leaves before its caller is known takes no place of later operations', async () => {
  const signer = await createSigner('a');
  const keySet = await startSlowKeySet(JSON.stringify({ keys: [signer.jwk] }));
  const log = createInbox<Readonly<Record<string, unknown>>>();
  await using app = await startApp({
    env: {
      ...signInByKeySet(keySet.url),
      MAX_OPERATIONS_PER_ADDRESS: '1',
      MAX_OPEN_PER_ADDRESS: '1',
      MAX_OPERATIONS_PER_OWNER: '1',
      MAX_OPEN_PER_OWNER: '1',
    },
    onLog: log.push,
  });
  const headers = bearer(await mint('ann', signer));
  const left = ['a', 'b', 'c'];
  for (const id of left) {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    // The server answers at once that it has the request.
    const all = { ...headers, 'x-request-id': id, expect: '100-continue' };
    socket.write(toBytes('/graphql?query=%7Bunknown%7D', { method: 'GET', headers: all, body: '' }));
    await once(socket, 'data');
    socket.destroy();
    await log.when((lines) => lines.some(({ requestId }) => requestId === id));
  }
  await keySet.send();
  for (const _operation of ['first', 'second'])
    expect((await postJson(app.url, { query: '{ __typename }' }, headers)).json).toEqual({
      data: { __typename: 'Query' },
    });
});

test('a create that its client completes before its caller is known is not sent', async () => {
  const signer = await createSigner('a');
  const keySet = await startSlowKeySet(JSON.stringify({ keys: [signer.jwk] }));
  const bodies: string[] = [];
  const gateway = await startFakeGateway((_request, response, body) => {
    bodies.push(body);
    sendJson(response, '{"choices":[]}');
  });
  await using app = await startApp({ env: signInByKeySet(keySet.url), gatewayUrl: gateway.url });
  const socket = await openRawSocket(app.url);
  await socket.init(null);
  const extensions = { headers: bearer(await mint('ann', signer)) };
  const create = (text: string) => ({
    query: `mutation { createChatCompletion(input: { model: "m", messages: [{ role: USER, content: { text: "${text}" } }] }) { __typename } }`,
    extensions,
  });
  socket.subscribe('left', create('left'));
  socket.send({ type: 'complete', id: 'left' });
  socket.send({ type: 'ping' });
  await socket.inbox.when((all) => all.some(({ type }) => type === 'pong'));
  socket.subscribe('kept', create('kept'));
  await keySet.send();
  expect(await socket.waitForEnd('kept')).toMatchObject([
    { payload: { data: { createChatCompletion: { __typename: 'Generation' } } } },
    { type: 'complete' },
  ]);
  expect(bodies.map((body) => /left|kept/.exec(body)?.[0])).toEqual(['kept']);
});

test('a large create whose client leaves while it is parsed is not sent', async () => {
  const gateway = await startFakeGateway((_request, response) => sendJson(response, '{"choices":[]}'));
  const log = createInbox<Readonly<Record<string, unknown>>>();
  await using app = await startApp({ gatewayUrl: gateway.url, onLog: log.push });
  const query = 'mutation ($input: ChatInput!) { createChatCompletion(input: $input) { __typename } }';
  const post = (text: string, id: string): Buffer => {
    const input = { model: 'm', messages: [{ role: 'USER', content: { text } }] };
    const headers = { ...sandboxKey, 'x-request-id': id };
    return toBytes('/graphql', { headers, body: { query, variables: { input } } });
  };
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(post('word '.repeat(2_000_000), 'left'), () => socket.destroy());
  await log.when((lines) => lines.some(({ requestId }) => requestId === 'left'));
  // It waits for its turn behind what is left of the other one.
  expect(await exchangeBytes(app, post('word '.repeat(2_000_000), 'kept'))).toContain('"Generation"');
  expect(gateway.requests).toHaveLength(1);
});

test('a subscription whose client leaves while it opens ends, and its span is exported', async () => {
  const receiver = await startReceiver();
  const log = createInbox<Readonly<Record<string, unknown>>>();
  await using scripted = await startScripted({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` },
    onLog: log.push,
  });
  const { app, gateway } = scripted;
  const query =
    'subscription Left { streamChat(input: { model: "m", messages: [{ role: USER, content: { text: "Hi" } }] }, idempotencyKey: "k") { __typename } }';
  const headers = { ...sandboxKey, accept: 'text/event-stream', 'x-request-id': 'left' };
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(toBytes('/graphql', { headers, body: { query } }));
  const exchange = await gateway.exchange(0);
  socket.destroy();
  await log.when((lines) => lines.some(({ msg }) => msg === 'request aborted by the client'));
  exchange.send(...words('a'), '[DONE]');
  exchange.end();
  await log.when((lines) => lines.some(({ msg }) => msg === 'generation ended'));
  await app.app.close();
  expect(receiver.spans.map(({ name }) => name)).toContain('subscription Left');
});

test('an operation whose client has left keeps its place until it ends', async () => {
  const log = createInbox<Readonly<Record<string, unknown>>>();
  const clock = createManualClock();
  await using app = await startApp({
    env: { MAX_OPERATIONS_PER_OWNER: '1', MAX_OPEN_PER_OWNER: '1' },
    sandbox: { taskSeconds: 1000 },
    overrides: { clientClock: clock },
    onLog: log.push,
  });
  const { data } = await app.run(QueueImageDocument, { input: { prompt: 'A boat' } });
  const created = data?.queueImage;
  const id = created?.__typename === 'Generation' ? created.id : '';
  const query = `{ awaitGeneration(by: { id: "${id}" }, timeoutSeconds: 300) { status } }`;
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(toBytes('/graphql', { headers: sandboxKey, body: { query } }));
  await expect.poll(() => app.app.activity.taskWatchers).toBe(1);
  socket.destroy();
  await log.when((lines) => lines.some(({ msg }) => msg === 'request aborted by the client'));
  // Four may wait behind it.
  const others = Array.from({ length: 5 }, () => postJson(app.url, { query: '{ __typename }' }, sandboxKey));
  expect((await Promise.race(others)).status).toBe(429);
  clock.advance(longRunningMs);
  const answers = await Promise.all(others);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
});
