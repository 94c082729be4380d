import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';

const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer sk-x',
  'new-api-user': '1',
};
const errors = '__typename ... on InvalidInputError { issues { path message } }';
const messages = '"messages":[{"role":"USER","content":{"text":"a"}}]';

/** Root field, type of its input, input as JSON text, and the paths of the refused members. */
const cases: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'queueImage',
    'QueueImageInput',
    '{"prompt":"a","extra":{"__proto__":{"polluted":1}}}',
    ['input.extra.__proto__'],
  ],
  [
    'createImage',
    'CreateImageInput',
    '{"byCount":{"prompt":"a","extra":{"a":[{"__proto__":1}],"__proto__":null}}}',
    ['input.byCount.extra.__proto__', 'input.byCount.extra.a.0.__proto__'],
  ],
  [
    'createChatCompletion',
    'ChatInput',
    `{"model":"m",${messages},"tools":[{"function":{"name":"f","parameters":{"properties":{"__proto__":{}}}}}]}`,
    ['input.tools.0.function.parameters.properties.__proto__'],
  ],
  [
    'createAccessToken',
    'CreateAccessTokenInput',
    '{"name":"a","quota":{"units":1},"extra":{"x":{"__proto__":{}}}}',
    ['input.extra.x.__proto__'],
  ],
];

const expected = (paths: readonly string[]): object => ({
  __typename: 'InvalidInputError',
  issues: paths.map((path) => ({
    path: path.split('.'),
    message: 'A member must not have the name "__proto__".',
  })),
});

describe('a member named __proto__ is refused with its path, and nothing is sent', () => {
  test.each(cases)('in a variable of %s', async (field, type, input, paths) => {
    const gateway = await startFakeGateway((_request, response) => void response.end('{}'));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${errors} } }`;
    const body = `{"query":${JSON.stringify(query)},"variables":{"input":${input}}}`;
    const response = await fetch(app.url, { method: 'POST', headers, body });
    expect(await response.json()).toEqual({ data: { [field]: expected(paths) } });
    expect(gateway.requests).toEqual([]);
  });

  test('in the document', async () => {
    const gateway = await startFakeGateway((_request, response) => void response.end('{}'));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data } = await app.run<object, object>(
      `mutation { queueImage(input: { prompt: "a", extra: { a: { __proto__: { b: 1 } } } }) { ${errors} } }`,
    );
    expect(data).toEqual({ queueImage: expected(['input.extra.a.__proto__']) });
    expect(gateway.requests).toEqual([]);
  });

  test('over a WebSocket', async () => {
    const gateway = await startFakeGateway((_request, response) => void response.end('{}'));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const socket = new WebSocket(app.url.replace('http', 'ws'), 'graphql-transport-ws');
    const receive = async (): Promise<unknown> => JSON.parse(String((await once(socket, 'message'))[0]));
    await once(socket, 'open');
    socket.send('{"type":"connection_init","payload":{"token":"sk-x"}}');
    expect(await receive()).toMatchObject({ type: 'connection_ack' });
    const query = `mutation ($input: QueueImageInput!) { queueImage(input: $input) { ${errors} } }`;
    socket.send(
      `{"id":"1","type":"subscribe","payload":{"query":${JSON.stringify(query)},"variables":{"input":{"prompt":"a","extra":{"__proto__":{}}}}}}`,
    );
    expect(await receive()).toMatchObject({
      payload: { data: { queueImage: expected(['input.extra.__proto__']) } },
    });
    socket.close();
    expect(gateway.requests).toEqual([]);
  });
});

test('at most 100 of them are reported', async () => {
  await using app = await startApp();
  const query = `mutation ($input: QueueImageInput!) { queueImage(input: $input) { ${errors} } }`;
  const items = Array.from({ length: 1000 }, () => '{"__proto__":1}').join();
  const body = `{"query":${JSON.stringify(query)},"variables":{"input":{"prompt":"a","extra":{"a":[${items}]}}}}`;
  const response = await fetch(app.url, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: { queueImage: { issues: readonly object[] } } };
  expect(data.queueImage.issues).toHaveLength(100);
});

test('members named constructor and prototype are passed on', async () => {
  const bodies: string[] = [];
  const gateway = await startFakeGateway((_request, response, body) => {
    bodies.push(body);
    response.end('{"request_id":"r1"}');
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const { data } = await app.run<object, object>(
    'mutation ($extra: JSON) { queueImage(input: { prompt: "a", extra: $extra }) { __typename } }',
    { extra: { constructor: { prototype: 1 } } },
  );
  expect(data).toEqual({ queueImage: { __typename: 'Generation' } });
  expect(JSON.parse(bodies[0] ?? '')).toEqual({ prompt: 'a', constructor: { prototype: 1 } });
});
