import type { Client as SseClient } from 'graphql-sse';
import type { Client as WsClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChatEventsDocument } from '../../../src/client/documents.generated.ts';
import { collect, startApp, subscribe, type TestApp } from '../../support/app.ts';
import {
  ask,
  type ChatEvent,
  chatEvents,
  createChatCompletion,
  type GenerationView,
  made,
  nextEvent,
  startChat,
  streamChat,
  toEnd,
} from '../../support/chats.ts';
import { foldChat, foldedText } from '../../support/fold-chat.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { chunk, type Exchange, startScripted, words } from '../../support/scripted-gateway.ts';

const hello = ask('Hello');
const names = (events: readonly ChatEvent[]): readonly string[] => events.map(({ __typename }) => __typename);
const spans = (events: readonly ChatEvent[]): readonly (readonly number[])[] =>
  events.flatMap((event) => (event.__typename === 'ChatDelta' ? [[event.fromSequence, event.sequence]] : []));

/** Starts a chat whose reply the test sends. The words `a` and `b` have already arrived. */
async function startHalfway(env: Readonly<Record<string, string>> = {}) {
  const scripted = await startScripted({ env });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: hello });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  const client = app.wsClient();
  const watcher = chatEvents(client, { id });
  expect(await nextEvent(watcher)).toMatchObject({ __typename: 'ChatSnapshot', sequence: 0 });
  exchange.send(...words('a', 'b'));
  await readUntil(watcher, 'ab');
  await watcher.return?.();
  return { ...scripted, exchange, id, client, [Symbol.asyncDispose]: () => scripted[Symbol.asyncDispose]() };
}

async function readUntil(watcher: AsyncIterator<ChatEvent, undefined>, text: string): Promise<void> {
  let event: ChatEvent;
  do event = await nextEvent(watcher);
  while (event.soFar.choices[0]?.message.content !== text);
}

describe('a stream', () => {
  test('is a snapshot, deltas without gaps, and one end', async () => {
    await using app = await startApp();
    const events = await toEnd(streamChat(app.wsClient(), { input: ask('Tell me a story in 200 words.') }));
    expect(names(events).at(0)).toBe('ChatSnapshot');
    expect(names(events).at(-1)).toBe('ChatCompleted');
    expect(
      names(events)
        .slice(1, -1)
        .every((name) => name === 'ChatDelta'),
    ).toBe(true);
    let last = events[0]?.sequence ?? Number.NaN;
    for (const [from = Number.NaN, to = Number.NaN] of spans(events)) {
      expect(from).toBe(last + 1);
      expect(to).toBeGreaterThanOrEqual(from);
      last = to;
    }
    expect(events.at(-1)?.sequence).toBe(last);
    expect(foldedText(events).length).toBeGreaterThan(500);
    expect(new Set(events.map(({ generationId }) => generationId)).size).toBe(1);
  });

  test('has the same text as the unstreamed reply', async () => {
    await using app = await startApp();
    const input = ask('Write a poem about 😀 and 漢字 🇩🇪.');
    const whole = made(await createChatCompletion(app, { input }));
    const events = await toEnd(streamChat(app.wsClient(), { input }));
    expect(foldedText(events)).toBe(whole.output?.choices[0]?.message.content);
    expect(events.at(-1)).toHaveProperty('ended.usage', whole.usage);
  });

  test('is the same over server-sent events', async () => {
    await using app = await startApp();
    const input = ask('Tell me about bees.');
    const overSocket = await toEnd(streamChat(app.wsClient(), { input }));
    const overSse = await toEnd(streamChat(app.sseClient(), { input, idempotencyKey: 'sse' }));
    expect(foldChat(overSse).choices).toEqual(foldChat(overSocket).choices);
    expect(names(overSse).at(-1)).toBe('ChatCompleted');
  });

  test('merges deltas of one read into one event', async () => {
    await using halfway = await startHalfway();
    const { exchange, client, id } = halfway;
    const watcher = chatEvents(client, { id });
    const snapshot = await nextEvent(watcher);
    exchange.send(...words('c', 'd', 'e'));
    const merged = await nextEvent(watcher);
    expect(merged).toMatchObject({
      __typename: 'ChatDelta',
      fromSequence: 3,
      sequence: 5,
      choices: [{ index: 0, content: 'cde' }],
    });
    exchange.send('[DONE]');
    expect(foldedText([snapshot, merged, ...(await toEnd(watcher))])).toBe('abcde');
  });

  test('sends deltas of separate reads as separate events', async () => {
    await using halfway = await startHalfway();
    const { exchange, client, id } = halfway;
    const watcher = chatEvents(client, { id });
    await nextEvent(watcher);
    for (const [sequence, word] of [
      [3, 'c'],
      [4, 'd'],
    ] as const) {
      exchange.send(...words(word));
      expect(await nextEvent(watcher)).toMatchObject({
        fromSequence: sequence,
        sequence,
        choices: [{ content: word }],
      });
    }
  });

  test('is complete for two watchers that join at different times', async () => {
    await using halfway = await startHalfway();
    const { exchange, client, id, app } = halfway;
    const first = chatEvents(client, { id });
    const seen = [await nextEvent(first)];
    exchange.send(...words('c'));
    seen.push(await nextEvent(first));
    const second = chatEvents(app.wsClient(), { id });
    const joined = [await nextEvent(second)];
    expect(joined[0]).toMatchObject({ __typename: 'ChatSnapshot', sequence: 3 });
    exchange.send(...words('d'), '[DONE]');
    seen.push(...(await toEnd(first)));
    joined.push(...(await toEnd(second)));
    expect([foldedText(seen), foldedText(joined)]).toEqual(['abcd', 'abcd']);
    expect([names(seen).at(-1), names(joined).at(-1)]).toEqual(['ChatCompleted', 'ChatCompleted']);
  });
});

describe('`after`', () => {
  test.each([
    [0, ['ChatDelta'], [[1, 2]]],
    [1, ['ChatDelta'], [[2, 2]]],
  ])(
    '%i, which is in the log, yields the deltas after it without a snapshot',
    async (after, expected, ranges) => {
      await using halfway = await startHalfway();
      const { exchange, client, id } = halfway;
      const watcher = chatEvents(client, { id, after });
      const seen = [await nextEvent(watcher)];
      expect(names(seen)).toEqual(expected);
      expect(spans(seen)).toEqual(ranges);
      exchange.send(...words('c'), '[DONE]');
      seen.push(...(await toEnd(watcher)));
      expect(names(seen).at(-1)).toBe('ChatCompleted');
      expect(spans(seen).at(-1)).toEqual([3, 3]);
    },
  );

  test('of the last sequence yields only new deltas', async () => {
    await using halfway = await startHalfway();
    const { exchange, client, id } = halfway;
    const watcher = chatEvents(client, { id, after: 2 });
    const next = nextEvent(watcher);
    exchange.send(...words('c'));
    expect(await next).toMatchObject({ __typename: 'ChatDelta', fromSequence: 3, sequence: 3 });
  });

  test.each([3, 2 ** 31 - 1, -1, -5])('%i, which is not in the log, yields a snapshot', async (after) => {
    await using halfway = await startHalfway();
    const { exchange, client, id } = halfway;
    const watcher = chatEvents(client, { id, after });
    const seen = [await nextEvent(watcher)];
    expect(seen[0]).toMatchObject({ __typename: 'ChatSnapshot', sequence: 2 });
    exchange.send(...words('c'), '[DONE]');
    seen.push(...(await toEnd(watcher)));
    expect(foldedText(seen)).toBe('abc');
  });

  test('always yields the end, even without other events', async () => {
    await using halfway = await startHalfway();
    const { exchange, client, id } = halfway;
    const watching = toEnd(chatEvents(client, { id, after: 2 }));
    exchange.send('[DONE]');
    expect(names(await watching)).toEqual(['ChatCompleted']);
    expect(names(await toEnd(chatEvents(client, { id, after: 2 })))).toEqual(['ChatCompleted']);
    expect(names(await toEnd(chatEvents(client, { id, after: 1 })))).toEqual(['ChatDelta', 'ChatCompleted']);
  });
});

describe('a finished chat', () => {
  test('sends a late watcher a snapshot and the end, from the log and later from the record', async () => {
    const clock = createManualClock();
    await using app = await startApp({ env: { STREAM_LOG_SECONDS: '60' }, overrides: { clock } });
    const client = app.wsClient();
    const events = await toEnd(streamChat(client, { input: hello }));
    const id = events[0]?.generationId ?? '';
    const fromLog = await toEnd(chatEvents(client, { id }));
    expect(names(fromLog)).toEqual(['ChatSnapshot', 'ChatCompleted']);
    expect(foldChat(fromLog)).toEqual(foldChat(events));
    clock.advance(59_999);
    expect(spans(await toEnd(chatEvents(client, { id, after: 1 })))[0]?.[0]).toBe(2);
    clock.advance(1);
    const fromRecord = await toEnd(chatEvents(client, { id }));
    expect(fromRecord).toEqual(fromLog);
    expect(await toEnd(chatEvents(client, { id, after: 1 }))).toEqual(fromLog);
  });

  test.each(['fault-bare-eof', 'fault-in-band-error'])(
    'that failed (%s) fails the same way from the record',
    async (model) => {
      const clock = createManualClock();
      await using app = await startApp({ env: { STREAM_LOG_SECONDS: '60' }, overrides: { clock } });
      const client = app.wsClient();
      const events = await toEnd(streamChat(client, { input: ask('Hello', { model }) }));
      clock.advance(60_000);
      const fromRecord = await toEnd(chatEvents(client, { id: events[0]?.generationId ?? '' }));
      expect(names(fromRecord)).toEqual(['ChatSnapshot', 'ChatFailed']);
      expect(fromRecord.at(-1)).toEqual(events.at(-1));
    },
  );

  test('records the assembled reply as raw, undeclared members included', async () => {
    const generation = await finishedBy((exchange) =>
      exchange.send(
        { ...chunk({ role: 'assistant', content: 'a' }), object: 'chat.completion.chunk', vendor: 'x' },
        { choices: [{ index: 0, delta: { content: 'b', annotations: [1] }, logprobs: { content: [1] } }] },
        { choices: [{ index: 0, delta: { annotations: [2] }, finish_reason: 'stop' }] },
        { choices: [], usage: { prompt_tokens: 1, total_tokens: 12345678901 } },
        '[DONE]',
      ),
    );
    expect(generation.usage).toEqual({
      promptTokens: 1,
      completionTokens: null,
      totalTokens: null,
      reasoningTokens: null,
    });
    expect(generation.raw).toEqual({
      id: 'c1',
      model: 'm',
      object: 'chat.completion',
      vendor: 'x',
      usage: { prompt_tokens: 1, total_tokens: 12345678901 },
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'ab', annotations: [1, 2] },
          finish_reason: 'stop',
          logprobs: { content: [1] },
        },
      ],
    });
  });

  async function finishedBy(script: (exchange: Exchange) => void): Promise<GenerationView> {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = toEnd(streamChat(app.wsClient(), { input: hello }));
    script(await gateway.exchange(0));
    const end = (await watching).at(-1);
    if (end?.__typename !== 'ChatCompleted') throw new Error(JSON.stringify(end));
    return end.ended;
  }
});

/** The top-level errors of a refused subscription: its only result. */
async function refusalOf(client: WsClient | SseClient, id: string): Promise<unknown> {
  const results = await collect(subscribe(client, ChatEventsDocument, { id }));
  expect(results).toHaveLength(1);
  return results[0]?.errors;
}
const notFound = [{ path: ['chatEvents'], extensions: { code: 'NOT_FOUND', retry: 'NEVER' } }];

describe('a chat that cannot be followed', () => {
  let app: TestApp & AsyncDisposable;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each([
    '',
    'x',
    'generation_',
    'generation_AAAAAAAAAAAAAAAAAAAA',
    '../../etc',
    'voice_WyJhIl0',
    '\u0000',
  ])('by the id %j fails with NOT_FOUND', async (id) => {
    expect(await refusalOf(app.wsClient(), id)).toMatchObject(notFound);
  });

  test('because it belongs to another credential fails with NOT_FOUND', async () => {
    const { id } = made(await startChat(app, { input: hello }));
    const stranger = app.wsClient({ connectionParams: { authorization: 'sk-other' } });
    expect(await refusalOf(stranger, id)).toMatchObject(notFound);
  });

  test('because its id was tampered with fails with NOT_FOUND', async () => {
    const { id } = made(await startChat(app, { input: hello }));
    for (const tampered of [`${id} `, `${id}=`, id.toUpperCase(), id.slice(0, -1), `${id}\n`])
      expect(await refusalOf(app.wsClient(), tampered)).toMatchObject(notFound);
  });

  test('because it is of a kind that streams elsewhere names the field for it', async () => {
    const query = `mutation { createImage(input: { byResolution: { model: "seedream-4", prompt: "a" } }) {
      ... on Generation { id }
    } }`;
    const { data } = await app.run<{ readonly createImage: { readonly id: string } }, object>(query);
    expect(await refusalOf(app.wsClient(), data?.createImage.id ?? '')).toMatchObject([
      {
        message: expect.stringContaining('follow it with `imageEvents`'),
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
  });

  test('because it is of another kind fails with BAD_REQUEST', async () => {
    const { data } = await app.run<{ readonly queueImage: { readonly id: string } }, object>(
      'mutation { queueImage(input: { prompt: "a" }) { ... on Generation { id } } }',
    );
    const id = data?.queueImage.id ?? '';
    for (const client of [app.wsClient(), app.sseClient()])
      expect(await refusalOf(client, id)).toMatchObject([
        {
          path: ['chatEvents'],
          message: expect.stringContaining('of kind QUEUED_IMAGE'),
          extensions: { code: 'BAD_REQUEST', retry: 'FIX_INPUT' },
        },
      ]);
  });

  test.each(['streamChat', 'chatEvents'])(
    'by %s without a credential is a top-level error',
    async (field) => {
      const client = app.wsClient({ connectionParams: {} });
      const events =
        field === 'streamChat' ? streamChat(client, { input: hello }) : chatEvents(client, { id: 'x' });
      await expect(toEnd(events)).rejects.toThrow(/"UNAUTHENTICATED"/);
    },
  );

  test('sends nothing to the gateway', async () => {
    const before = app.sandbox.activity.count();
    await refusalOf(app.wsClient(), 'generation_unknown');
    expect(app.sandbox.activity.count()).toBe(before);
  });
});
