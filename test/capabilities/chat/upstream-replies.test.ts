import { describe, expect, test } from 'vitest';
import { foldChat, foldedText } from '../../support/fold-chat.ts';
import {
  ask,
  type ChatEvent,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../../support/chats.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { type Exchange, startScripted, words } from '../../support/scripted-gateway.ts';

const hello = ask('Hello');

/** All events of a chat whose reply the test sends. */
async function play(script: (exchange: Exchange) => void): Promise<readonly ChatEvent[]> {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const [events] = await Promise.all([
    toEnd(streamChat(app.wsClient(), { input: hello })),
    gateway.exchange(0).then(script),
  ]);
  return events;
}

function failureOf(events: readonly ChatEvent[]) {
  const end = events.at(-1);
  if (end?.__typename !== 'ChatFailed') throw new Error(JSON.stringify(end));
  return end;
}

describe('an error in the middle of a stream', () => {
  const error = { error: { message: 'The channel broke', type: 'upstream_error', code: 'broken' } };
  const expected = { message: 'The channel broke', upstreamCode: 'broken', code: 'GATEWAY_ERROR' };

  test.each<[string, (exchange: Exchange) => void]>([
    ['as an event', (exchange) => exchange.send(error)],
    ['as an event on a connection that stays open', (exchange) => exchange.send(error)],
    ['as an event with empty choices', (exchange) => exchange.send({ ...error, choices: [] })],
    ['as a bare line', (exchange) => exchange.end(`${JSON.stringify(error)}\n`)],
    ['as bare JSON without a line end', (exchange) => exchange.end(JSON.stringify(error))],
  ])('%s is shown, and the text before it is kept', async (_name, send) => {
    const events = await play((exchange) => {
      exchange.send(...words('Hel', 'lo'));
      send(exchange);
    });
    const end = failureOf(events);
    expect(end.error).toMatchObject(expected);
    expect(foldedText(events)).toBe('Hello');
    expect(end.generation).toMatchObject({ status: 'FAILED', error: { upstreamCode: 'broken' } });
  });

  test('keeps the text before it in the same read and drops the text after it', async () => {
    const events = await play((exchange) => exchange.send(...words('Hel', 'lo'), error, ...words('!')));
    expect(foldedText(events)).toBe('Hello');
    expect(failureOf(events).error).toMatchObject(expected);
  });

  test('is shown when it is only a string', async () => {
    const events = await play((exchange) => exchange.send({ error: 'overloaded' }));
    expect(failureOf(events).error).toMatchObject({ code: 'GATEWAY_ERROR', message: 'overloaded' });
  });

  test('closes the connection to the gateway', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = toEnd(streamChat(app.wsClient(), { input: hello }));
    const exchange = await gateway.exchange(0);
    exchange.send(error);
    await exchange.closed;
    expect(failureOf(await watching).error.code).toBe('GATEWAY_ERROR');
  });

  test('never contains the credential', async () => {
    const events = await play((exchange) =>
      exchange.send({ error: { message: 'key sk-sandbox is blocked', code: 'blocked' } }),
    );
    expect(failureOf(events).error.message).toBe('key [credential] is blocked');
  });
});

describe('an end without [DONE]', () => {
  test.each<[string, (exchange: Exchange) => void, string]>([
    ['an end of file', (exchange) => exchange.end(), 'STREAM_UNFINISHED'],
    ['a broken connection', (exchange) => exchange.cut(), 'STREAM_CUT'],
    ['an event that is not JSON', (exchange) => exchange.send('{"choices":['), 'GATEWAY_ERROR'],
    ['an event that is a list', (exchange) => exchange.send([1, 2]), 'GATEWAY_ERROR'],
    ['an event that is a number', (exchange) => exchange.send(7), 'GATEWAY_ERROR'],
  ])('%s fails the chat and keeps the text', async (_name, finish, code) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const events = streamChat(app.wsClient(), { input: hello });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const seen = [await first];
    exchange.send(...words('Hel', 'lo'));
    seen.push(await nextEvent(events));
    finish(exchange);
    seen.push(...(await toEnd(events)));
    expect(foldedText(seen)).toBe('Hello');
    expect(failureOf(seen).error.code).toBe(code);
    expect(failureOf(seen).soFar.choices[0]?.finishReason).toBeNull();
  });

  test('[DONE] without a finish reason completes without one', async () => {
    const events = await play((exchange) => exchange.send(...words('Hi'), '[DONE]'));
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    expect(events.at(-1)?.soFar.choices[0]?.finishReason).toBeNull();
  });

  test('events after [DONE] are ignored', async () => {
    const events = await play((exchange) => exchange.send(...words('Hi'), '[DONE]', ...words(' there')));
    expect(foldedText(events)).toBe('Hi');
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
  });

  test('chunks without a blank line between them arrive, and [DONE] ends the chat', async () => {
    const events = await play((exchange) => {
      for (const each of [...words('a', 'b', 'c'), '[DONE]'])
        exchange.write(`data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n`);
    });
    expect(foldedText(events)).toBe('abc');
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
  });

  test('[DONE] ends the chat while the connection stays open', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = toEnd(streamChat(app.wsClient(), { input: hello }));
    (await gateway.exchange(0)).send(...words('Hi'), '[DONE]');
    expect((await watching).at(-1)?.__typename).toBe('ChatCompleted');
  });
});

describe('a reply that is not a stream', () => {
  test.each([
    ['an error object next to choices', { choices: [], error: { message: 'no channel', code: 'none' } }],
    ['an error object next to an id', { id: 'x', error: { message: 'no channel', code: 'none' } }],
    ['an error object', { error: { message: 'no channel', code: 'none' } }],
  ])('%s with HTTP 200 fails the chat', async (_name, body) => {
    const events = await play((exchange) => exchange.reply(200, body));
    expect(failureOf(events).error).toMatchObject({
      code: 'GATEWAY_ERROR',
      message: 'no channel',
      upstreamCode: 'none',
    });
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const whole = createChatCompletion(app, { input: hello });
    (await gateway.exchange(0)).reply(200, body);
    expect(await whole).toMatchObject({ code: 'GATEWAY_ERROR', message: 'no channel' });
  });

  test('a document completes the chat in one delta', async () => {
    const events = await play((exchange) =>
      exchange.reply(200, {
        model: 'm-1',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      }),
    );
    expect(events.at(-1)).toMatchObject({
      __typename: 'ChatCompleted',
      soFar: { model: 'm-1', choices: [{ message: { content: 'Hi' }, finishReason: 'stop' }] },
      ended: { usage: { totalTokens: 3 } },
    });
    expect(foldChat(events).sequence).toBe(1);
  });

  test('usage with numbers as text is read, streamed and whole', async () => {
    const usage = {
      prompt_tokens: '11',
      completion_tokens: '2147483647',
      total_tokens: '13',
      completion_tokens_details: { reasoning_tokens: '0' },
    };
    const expected = { promptTokens: 11, completionTokens: 2147483647, totalTokens: 13, reasoningTokens: 0 };
    const events = await play((exchange) => exchange.send(...words('Hi'), { choices: [], usage }, '[DONE]'));
    expect(events.at(-1)).toMatchObject({ ended: { usage: expected } });
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const creating = createChatCompletion(app, { input: hello });
    (await gateway.exchange(0)).reply(200, { choices: [{ message: { content: 'Hi' } }], usage });
    expect(made(await creating)).toMatchObject({ usage: expected });
  });

  test('the media type of a stream is recognized in any case and with parameters', async () => {
    const events = await play((exchange) => {
      const body = `data: ${JSON.stringify(words('Hi')[0])}\n\ndata: [DONE]\n\n`;
      exchange.reply(200, body, { 'content-type': 'Text/Event-Stream;charset=UTF-8' });
    });
    expect(foldedText(events)).toBe('Hi');
  });

  test.each([
    [404, 'an empty body', 'GatewayError'],
    [418, 'a body that was cut, too large or unreadable', 'GatewayError'],
    [402, 'an empty body', 'QuotaError'],
    [403, 'an empty body', 'AuthenticationError'],
  ])('HTTP %i with %s is a refusal', async (status, body, typename) => {
    const sent = body === 'an empty body' ? '' : 'no gzip';
    const headers = sent === '' ? {} : { 'content-encoding': 'gzip' };
    const events = await play((exchange) => exchange.reply(status, sent, headers));
    expect(failureOf(events).error).toMatchObject({
      __typename: typename,
      message: `The gateway answered ${status} with ${body}.`,
    });
  });

  test.each([301, 302, 307, 308])('HTTP %i is a refusal that is not followed', async (status) => {
    const headers = { location: 'https://elsewhere.example/' };
    const events = await play((exchange) => exchange.reply(status, '<html>', headers));
    expect(failureOf(events).error).toMatchObject({
      __typename: 'GatewayError',
      message: expect.stringContaining(`${status}, a redirect, which is not followed`),
    });
  });

  test.each([303, 504, 524])(
    'HTTP %i, which may follow an accepted request, leaves the outcome unknown',
    async (status) => {
      const events = await play((exchange) => exchange.reply(status, '<html>', {}));
      expect(failureOf(events).error.code).toBe('OUTCOME_UNKNOWN');
    },
  );
});

describe('invalid values', () => {
  test.each<[string, object]>([
    ['choices that are an object', { choices: { 0: { delta: { content: 'x' } } } }],
    ['choices that are a number', { choices: 5 }],
    ['choices without objects', { choices: [null, 7, 'x', []] }],
    ['a delta that is a string', { choices: [{ index: 0, delta: 'x' }] }],
    ['content that is a number', { choices: [{ index: 0, delta: { content: 5 } }] }],
    ['a role that is unknown', { choices: [{ index: 0, delta: { role: 'wizard' } }] }],
    ['a role that is an object', { choices: [{ index: 0, delta: { role: {} } }] }],
    ['tool calls that are a string', { choices: [{ index: 0, delta: { tool_calls: 'x' } }] }],
    ['tool calls without objects', { choices: [{ index: 0, delta: { tool_calls: [null, 4] } }] }],
    ['a function call that is a list', { choices: [{ index: 0, delta: { function_call: [] } }] }],
    ['a finish reason that is a number', { choices: [{ index: 0, delta: {}, finish_reason: 7 }] }],
    ['a finish reason that is an object', { choices: [{ index: 0, delta: {}, finish_reason: {} }] }],
    ['usage that is a string', { choices: [], usage: 'much' }],
    ['usage with invalid counts', { choices: [], usage: { prompt_tokens: 'many', total_tokens: 1.5 } }],
    ['usage as text beyond 32 bits', { choices: [], usage: { total_tokens: '4000000000' } }],
    [
      'usage as text with other characters',
      { choices: [], usage: { total_tokens: '1e3', prompt_tokens: '' } },
    ],
    ['usage beyond 32 bits', { choices: [], usage: { total_tokens: 4_000_000_000 } }],
    ['a model that is a number', { model: 5, choices: [] }],
    ['an error of null', { error: null, choices: [] }],
    ['an empty error', { error: '', choices: [] }],
  ])('are ignored, and the chat continues: %s', async (_name, hostile) => {
    const events = await play((exchange) => exchange.send(...words('a'), hostile, ...words('b'), '[DONE]'));
    expect(foldedText(events)).toBe('ab');
    const end = events.at(-1);
    expect(end).toMatchObject({
      __typename: 'ChatCompleted',
      soFar: { model: 'm', choices: [{ finishReason: null, message: { role: null, toolCalls: null } }] },
    });
    expect(end).not.toHaveProperty('ended.usage.totalTokens', expect.any(Number));
  });

  test.each([1e9, 2 ** 31 - 1])('a large choice index of %i makes one choice', async (index) => {
    const events = await play((exchange) =>
      exchange.send({ choices: [{ index, delta: { content: 'x' } }] }, ...words('a'), '[DONE]'),
    );
    expect(foldChat(events).choices.map((choice) => [choice.index, choice.content])).toEqual([
      [0, 'a'],
      [index, 'x'],
    ]);
  });

  test.each([-1, 1.5, 2 ** 31, 1e300, '0', null])(
    'an invalid choice index (%s) is replaced by the position in the list',
    async (index) => {
      const events = await play((exchange) =>
        exchange.send(
          { choices: [{ index, delta: { content: 'a' } }] },
          { choices: [{ index: 0, delta: { tool_calls: [{ index, id: 't', function: { name: 'f' } }] } }] },
          '[DONE]',
        ),
      );
      expect(foldChat(events).choices).toMatchObject([{ index: 0, content: 'a', toolCalls: [{ index: 0 }] }]);
    },
  );

  test('tool arguments sent as an object become JSON text with exact wide integers', async () => {
    const events = await play((exchange) => {
      exchange.write(
        'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":{"id":12345678901234567890}}}]}}]}\n\ndata: [DONE]\n\n',
      );
    });
    expect(foldChat(events).choices[0]?.toolCalls).toEqual([
      { index: 0, id: 't', name: 'f', arguments: '{"id":12345678901234567890}' },
    ]);
  });

  test('members like __proto__ and constructor pollute no prototype', async () => {
    const events = await play((exchange) => {
      exchange.write(
        'data: {"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"choices":[{"index":0,"__proto__":{"polluted":1},"delta":{"content":"a","__proto__":{"content":"b"},"constructor":"x"}}]}\n\ndata: [DONE]\n\n',
      );
    });
    expect(foldedText(events)).toBe('a');
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(JSON.stringify(events.at(-1))).toContain('"__proto__":{"polluted":1}');
  });

  test('an event of 20 MB fails the chat, and the text before it is kept', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const events = streamChat(app.wsClient(), { input: hello });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.send(...words('a'));
    const seen = [await first];
    if (foldedText(seen) === '') seen.push(await nextEvent(events));
    exchange.write(
      `data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(20 * 1024 * 1024)}"}}]}\n\n`,
    );
    seen.push(...(await toEnd(events)));
    expect(foldedText(seen)).toBe('a');
    expect(failureOf(seen).error).toMatchObject({ __typename: 'GatewayError' });
    await exchange.closed;
  });

  test('NUL and line separators arrive unchanged, and lone surrogates become replacement characters', async () => {
    const events = await play((exchange) => {
      exchange.send(...words('a\u0000b\u2028c\u0085', '\ud83d', 'x', '\ude00'), '[DONE]');
    });
    expect(foldedText(events)).toBe('a\u0000b\u2028c\u0085\ufffdx\ufffd');
  });
});

test('a startChat that returns before acceptance shows a late refusal in its generation and releases its key', async () => {
  const clock = createManualClock();
  await using scripted = await startScripted({ overrides: { clock } });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: hello, idempotencyKey: 'late' });
  await gateway.exchange(0);
  clock.advance(10_000);
  const generation = made(await starting);
  expect(generation.status).toBe('RUNNING');
  const events = streamChat(app.wsClient(), { input: hello, idempotencyKey: 'late' });
  const snapshot = await nextEvent(events);
  const headers = { 'content-type': 'application/json', 'retry-after': '3' };
  (await gateway.exchange(0)).reply(429, { error: { message: 'slow down' } }, headers);
  expect(failureOf([snapshot, ...(await toEnd(events))])).toMatchObject({
    generationId: generation.id,
    error: { code: 'RATE_LIMITED' },
    generation: { status: 'FAILED' },
  });
  expect(await findGeneration(app, generation.id)).toMatchObject({
    status: 'FAILED',
    error: { code: 'RATE_LIMITED', message: 'slow down' },
  });
  const query = `{ generation(by: { id: "${generation.id}" }) { error { retry retryAfterSeconds } } }`;
  expect((await app.run(query)).data).toEqual({
    generation: { error: { retry: 'LATER', retryAfterSeconds: 3 } },
  });
  const again = startChat(app, { input: hello, idempotencyKey: 'late' });
  (await gateway.exchange(1)).reply(503, '');
  expect(refused(await again)).toMatchObject({ code: 'GATEWAY_ERROR' });
});
