import { describe, expect, test } from 'vitest';
import { sandboxKey, startApp } from '../../support/app.ts';
import { type Reply, sendRequest } from '../../support/http.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { startScripted } from '../../support/scripted-gateway.ts';

const digits = ['9007199254740993', '-18446744073709551617', '9'.repeat(100)] as const;
const exact = `{"salt":${digits[0]},"deep":[{"id":${digits[1]}}],"most":${digits[2]},"half":0.5,"text":"${digits[0]}"}`;
const body = '"messages":[{"role":"USER","content":{"text":"Hi"}}],"model":"m"';
const query =
  'mutation ($input: ChatInput!) { createChatCompletion(input: $input) { __typename ... on Generation { raw } } }';
const streamQuery =
  'subscription ($input: ChatInput!) { streamChat(input: $input, idempotencyKey: "k") { __typename ... on ChatCompleted { generation { raw } } } }';
const reply = `{"choices":[{"message":{"content":"a"}}],"tag":${exact}}`;
const streamed = `data: {"choices":[{"index":0,"delta":{"content":"a"}}],"tag":${exact}}\n\ndata: [DONE]\n\n`;
const json = { 'content-type': 'application/json', ...sandboxKey };

const operation = (text: string, extra: string): string =>
  `{"query":${JSON.stringify(text)},"variables":{"input":{${body},"extra":${extra},"extraBody":${extra}}}}`;

/** Removes the spaces that separate the members of JSON text. */
const compact = (text: string): string => text.replaceAll(' ', '');

describe('integers beyond ±2^53 in JSON values', () => {
  test('are exact in a body by HTTP and in its reply', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const running = sendRequest(app.url, { headers: json, body: operation(query, exact) });
    const exchange = await gateway.exchange(0);
    exchange.reply(200, reply);
    expect(exchange.text).toContain(exact.slice(1, -1));
    expect(exchange.text).toContain(`"extra_body":${exact}`);
    expect((await running).text).toContain(`"tag":${exact}`);
  });

  test('are exact in literals and in variables within literals', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const text = `mutation ($inner: JSON, $toString: JSON) { createChatCompletion(input: { model: "m", messages: [{ role: USER, content: { text: "Hi" } }], extra: { salt: ${digits[1]}, inner: $inner, none: $toString } }) { __typename } }`;
    const running = sendRequest(app.url, {
      headers: json,
      body: `{"query":${JSON.stringify(text)},"variables":{"inner":[${digits[0]}]}}`,
    });
    const exchange = await gateway.exchange(0);
    exchange.reply(200, reply);
    await running;
    expect(exchange.text).toContain(`"salt":${digits[1]},"inner":[${digits[0]}],"none":null`);
  });

  test('are exact in a subscription over server-sent events', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const headers = { ...json, accept: 'text/event-stream' };
    const running = sendRequest(app.url, { headers, body: operation(streamQuery, exact) });
    const exchange = await gateway.exchange(0);
    exchange.write(streamed);
    exchange.end();
    expect(exchange.text).toContain(exact.slice(1, -1));
    expect((await running).text).toContain(`"tag":${exact}`);
  });

  test.each([
    ['an integer', digits[0]],
    ['a list that nests deeply', '['.repeat(20_000) + ']'.repeat(20_000)],
  ])('are allowed in a subscription with variables below its root: %s', async (_what, extra) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const text = streamQuery
      .replace('ChatInput!', 'ChatInput!, $isShown: Boolean!')
      .replace('raw', 'raw @include(if: $isShown)');
    const running = sendRequest(app.url, {
      headers: { ...json, accept: 'text/event-stream' },
      body: `{"query":${JSON.stringify(text)},"variables":{"input":{${body}},"isShown":true,"unused":${extra}}}`,
    });
    (await gateway.exchange(0)).end(streamed);
    expect((await running).text).toContain(`"tag":${exact}`);
  });

  test('are exact in WebSocket messages, in both directions', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const socket = await openRawSocket(app.url);
    await socket.init(sandboxKey);
    socket.send(`{"id":"a","type":"subscribe","payload":${operation(streamQuery, exact)}}`);
    const exchange = await gateway.exchange(0);
    exchange.write(streamed);
    exchange.end();
    expect(exchange.text).toContain(exact.slice(1, -1));
    await socket.waitForEnd('a');
    expect(socket.texts.some((text) => text.includes(`"tag":${exact}`))).toBe(true);
  });

  test('stay exact in the records', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const running = sendRequest(app.url, { headers: json, body: operation(query, exact) });
    (await gateway.exchange(0)).reply(200, reply);
    await running;
    const find = JSON.stringify({ query: '{ generations(first: 1) { edges { node { input raw } } } }' });
    const { text } = await sendRequest(app.url, { headers: json, body: find });
    expect(text).toContain(`"extra_body":${exact}`);
    expect(text).toContain(`"tag":${exact}`);
  });
});

describe('numbers that cannot be exact', () => {
  const tooLong = '1'.repeat(101);
  /** Beyond the range of numbers, too. */
  const longest = '1'.repeat(400);
  const refusedExtras = [
    `{"seed":${tooLong}}`,
    `{"seed":[-${tooLong}]}`,
    `{"seed":${longest}}`,
    `{"seed":[-${longest}]}`,
    '{"seed":1e400}',
  ];

  test.each(refusedExtras)('are refused by HTTP: %s', async (extra) => {
    await using app = await startApp();
    const refusal = await sendRequest(app.url, { headers: json, body: operation(query, extra) });
    expect(refusalOf(refusal)).toMatch(/^BAD_REQUEST: .*A number is too large/);
    expect(app.sandbox.activity.count()).toBe(0);
  });

  test('are refused over a WebSocket', async () => {
    await using app = await startApp();
    const socket = await openRawSocket(app.url);
    await socket.init(sandboxKey);
    for (const [index, extra] of refusedExtras.entries()) {
      socket.send(`{"id":"${index}","type":"subscribe","payload":${operation(query, extra)}}`);
      const message = await socket.waitForMessage(String(index));
      expect(JSON.stringify(message)).toContain('BAD_REQUEST');
    }
    expect(app.sandbox.activity.count()).toBe(0);
  });

  test.each(['1e400', tooLong, `-${tooLong}`])('are refused in literals: %s', async (seed) => {
    await using app = await startApp();
    const text = `mutation { createChatCompletion(input: { model: "m", messages: [], extra: { seed: ${seed} } }) { __typename } }`;
    const { errors } = await app.run(text);
    expect(errors?.[0]?.message).toContain('A number is too large');
  });

  test.each(['GET', 'POST'])(
    'are refused as ids, and ignored in variables without use: %s',
    async (method) => {
      await using app = await startApp();
      const run = (variables: string): Promise<Reply> => {
        const query = 'query ($id: ID!) { node(id: $id) { id } }';
        const inUrl = new URLSearchParams({ query, variables }).toString();
        return method === 'GET'
          ? sendRequest(`${app.url}?${inUrl}`, { headers: sandboxKey })
          : sendRequest(app.url, {
              headers: json,
              body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
            });
      };
      const refusal = refusalOf(await run(`{"id":${digits[0]}}`));
      expect(refusal).toMatch(/^BAD_REQUEST: .*ID cannot represent value: 9007199254740993/);
      expect((await run(`{"id":"x","unused":[1e300,${digits[0]}]}`)).json).toEqual({ data: { node: null } });
    },
  );
});

describe('a body with a wide integer', () => {
  test.each(['[9007199254740993]', '9007199254740993', `{"query": 9007199254740993`, `"${digits[0]}"`])(
    'that is no operation is malformed: %s',
    async (text) => {
      await using app = await startApp();
      const refusal = await sendRequest(app.url, { headers: json, body: text });
      expect(refusal.status).toBe(400);
      expect(compact(refusal.text)).toContain('"code":"BAD_REQUEST"');
    },
  );
});

function refusalOf({ json: { errors } }: Reply): string {
  const [error] = errors ?? [];
  return `${String(error?.extensions?.['code'])}: ${error?.message}`;
}
