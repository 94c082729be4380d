import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';
import { foldedText } from '../../support/fold-chat.ts';
import {
  ask,
  type ChatEvent,
  createChatCompletion,
  findGeneration,
  made,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../../support/chats.ts';

let app: TestApp & AsyncDisposable;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** All events of a chat with this model, and the last one. */
async function endOf(
  model: string,
  { wsClient } = app,
): Promise<{ readonly events: readonly ChatEvent[]; readonly end: ChatEvent }> {
  const events = await toEnd(streamChat(wsClient(), { input: ask('Tell me about rivers.', { model }) }));
  const end = events.at(-1);
  if (!end) throw new Error('there were no events');
  return { events, end };
}

describe("the sandbox's faults", () => {
  test('a stream with [DONE] completes', async () => {
    const { events, end } = await endOf('gpt-4o');
    expect(end).toMatchObject({
      __typename: 'ChatCompleted',
      ended: { status: 'SUCCEEDED', isTerminal: true, isCancelable: false, error: null },
    });
    expect(end.soFar.choices[0]?.finishReason).toBe('stop');
    expect(foldedText(events).length).toBeGreaterThan(20);
    expect(events.filter(({ __typename }) => /Completed|Canceled|Failed/.test(__typename))).toHaveLength(1);
  });

  test.each([
    ['fault-bare-eof', 'STREAM_UNFINISHED'],
    ['fault-eof-after-finish', 'STREAM_UNFINISHED'],
    ['fault-cut-stream', 'STREAM_CUT'],
    ['fault-in-band-error', 'GATEWAY_ERROR'],
    ['fault-malformed-chunk', 'GATEWAY_ERROR'],
  ])('%s fails with %s and keeps the text received so far', async (model, code) => {
    const { events, end } = await endOf(model);
    if (end.__typename !== 'ChatFailed') throw new Error(end.__typename);
    expect(end.error.code).toBe(code);
    expect(end.generation).toMatchObject({ status: 'FAILED', isTerminal: true, error: { code } });
    const text = foldedText(events);
    expect(text).not.toBe('');
    expect(end.generation?.output?.choices[0]?.message.content).toBe(text);
    const recorded = await findGeneration(app, end.generation?.id ?? '');
    expect(recorded?.output?.choices[0]?.message.content).toBe(text);
    expect(recorded?.finishedAt).not.toBeNull();
  });

  test("an error in the stream shows the gateway's code", async () => {
    const { end } = await endOf('fault-in-band-error');
    expect(end).toMatchObject({
      error: {
        message: 'The upstream channel failed while it was generating',
        upstreamCode: 'upstream_failed',
        httpStatus: 200,
      },
      generation: { error: { upstreamCode: 'upstream_failed' } },
    });
  });

  test('an end of file after the finish reason keeps the finish reason but does not complete', async () => {
    const { end } = await endOf('fault-eof-after-finish');
    expect(end.__typename).toBe('ChatFailed');
    expect(end.soFar.choices[0]?.finishReason).toBe('stop');
  });

  test('a JSON document in place of a stream completes the chat', async () => {
    const { events, end } = await endOf('fault-json-body');
    expect(end).toMatchObject({ __typename: 'ChatCompleted', ended: { status: 'SUCCEEDED' } });
    expect(foldedText(events).length).toBeGreaterThan(20);
    expect(end.soFar.choices[0]).toMatchObject({ finishReason: 'stop', message: { role: 'ASSISTANT' } });
    expect(end).toHaveProperty('ended.usage.totalTokens', expect.any(Number));
  });

  test('unusual but valid chunks become one plain text', async () => {
    const { events, end } = await endOf('fault-odd-chunks');
    expect(end.__typename).toBe('ChatCompleted');
    const whole = made(
      await createChatCompletion(app, { input: ask('Tell me about rivers.', { model: 'fault-odd-chunks' }) }),
    );
    expect(foldedText(events)).toBe(whole.output?.choices[0]?.message.content);
  });

  test.each([
    ['fault-empty-401', { __typename: 'AuthenticationError', code: 'AUTHENTICATION_FAILED' }],
    ['fault-quota', { __typename: 'QuotaError', upstreamCode: 'insufficient_user_quota' }],
    ['fault-rate-limit', { __typename: 'RateLimitError', retryAfterSeconds: 2 }],
    [
      'fault-success-false',
      { __typename: 'GatewayError', httpStatus: 200, message: 'The upstream channel refused the request' },
    ],
    [
      'fault-json-error-200',
      { __typename: 'GatewayError', httpStatus: 200, upstreamCode: 'upstream_failed' },
    ],
    ['unknown-model', { __typename: 'GatewayError', retry: 'FIX_INPUT' }],
  ])('%s returns the same refusal from every operation and leaves no generation', async (model, expected) => {
    const input = ask('Tell me about rivers.', { model });
    const events = await toEnd(streamChat(app.wsClient(), { input }));
    expect(events).toEqual([
      expect.objectContaining({
        __typename: 'ChatFailed',
        generationId: null,
        sequence: 0,
        generation: null,
        error: expect.objectContaining(expected),
      }),
    ]);
    expect(refused(await startChat(app, { input }))).toMatchObject(expected);
    expect(refused(await createChatCompletion(app, { input }))).toMatchObject(expected);
    const listed = await app.run<{ generations: { edges: unknown[] } }, object>(
      'query ($model: String!) { generations(filter: { models: [$model] }) { edges { cursor } } }',
      { model },
    );
    expect(listed.data?.generations.edges).toEqual([]);
  });

  test('an HTML page is not shown as a message', async () => {
    const { message } = refused(await startChat(app, { input: ask('Hello', { model: 'fault-html-500' }) }));
    expect(message).not.toContain('<');
  });

  // A page with 500 or 502 is that of a gateway that crashed, or of a proxy that has forwarded the request.
  test.each(['fault-reset', 'fault-not-json', 'fault-html-500', 'fault-html-502'])(
    '%s has an unknown outcome, which its generation shows',
    async (model) => {
      const { end } = await endOf(model);
      expect(end).toMatchObject({
        __typename: 'ChatFailed',
        error: { __typename: 'OutcomeUnknownError', generation: { status: 'UNKNOWN' } },
      });
      const failure = refused(await createChatCompletion(app, { input: ask('Hello', { model }) }));
      expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
      expect(await findGeneration(app, failure.generation?.id ?? '')).toMatchObject({
        status: 'UNKNOWN',
        error: { code: 'OUTCOME_UNKNOWN' },
      });
    },
  );

  test.each(['fault-cut-stream', 'fault-bare-eof'])(
    '%s in an unstreamed reply has an unknown outcome',
    async (model) => {
      const failure = refused(await createChatCompletion(app, { input: ask('Hello', { model }) }));
      expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
    },
  );
});

describe('a stalled gateway', () => {
  let impatient: TestApp & AsyncDisposable;
  beforeAll(async () => {
    impatient = await startApp({ env: { GATEWAY_STALL_SECONDS: '0.2' } });
  });
  afterAll(() => impatient[Symbol.asyncDispose]());

  test('is disconnected after GATEWAY_STALL_SECONDS in a stream, and the text received so far is kept', async () => {
    const { events, end } = await endOf('fault-stalled-stream', impatient);
    expect(end).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'STREAM_STALLED' },
      generation: { status: 'FAILED', error: { code: 'STREAM_STALLED' } },
    });
    expect(foldedText(events)).not.toBe('');
    await impatient.sandbox.activity.waitUntilIdle();
    expect(impatient.sandbox.activity.requests().at(-1)?.state).toBe('aborted');
  });

  test('leaves an unknown outcome in an unstreamed reply', async () => {
    const input = ask('Hello', { model: 'fault-stalled-stream' });
    const failure = refused(await createChatCompletion(impatient, { input }));
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
  });
});

describe('a gateway that does not close the stream after [DONE]', () => {
  test('is disconnected after a grace period, while the chat completes immediately', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ overrides: { clock } });
    const events = toEnd(streamChat(scripted.app.wsClient(), { input: ask('x') }));
    const exchange = await scripted.gateway.exchange(0);
    exchange.send(...words('all of it'), '[DONE]');
    expect((await events).at(-1)?.__typename).toBe('ChatCompleted');
    clock.advance(2000);
    await exchange.closed;
  });
});
