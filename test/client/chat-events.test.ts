import { describe, expect, test } from 'vitest';
import { applyChatEvent, type ChatEvent, type ChatView, emptyChat } from '../../src/client/chat-events.ts';
import { ChatEventsDocument, StartChatDocument } from '../../src/client/documents.generated.ts';
import { startApp, subscribe } from '../support/app.ts';

type Delta = Extract<ChatEvent, { __typename: 'ChatDelta' }>;
type Choice = Delta['choices'][number];

const choice = (content: string, more: Partial<Choice> = {}): Choice => ({
  index: 0,
  role: null,
  content,
  reasoningContent: null,
  refusal: null,
  toolCalls: null,
  finishReason: null,
  ...more,
});
const delta = (fromSequence: number, sequence: number, ...choices: readonly Choice[]): ChatEvent => ({
  __typename: 'ChatDelta',
  generationId: 'g',
  fromSequence,
  sequence,
  choices,
});
const snapshot = (sequence: number, content: string): ChatEvent => ({
  __typename: 'ChatSnapshot',
  generationId: 'g',
  sequence,
  soFar: {
    choices: [
      {
        index: 0,
        message: { role: 'ASSISTANT', content, reasoningContent: null, refusal: null, toolCalls: null },
        finishReason: null,
      },
    ],
  },
});
const end = (sequence: number): ChatEvent => ({
  __typename: 'ChatCompleted',
  generationId: 'g',
  sequence,
  generation: { id: 'generation_1', status: 'SUCCEEDED', assets: [], usage: null },
});
const apply = (...events: readonly ChatEvent[]): ChatView => events.reduce(applyChatEvent, emptyChat);

test.each([
  ['text and reasoning', {}],
  ['tool calls', { tools: [{ function: { name: 'weather', parameters: { type: 'object' } } }] }],
] as const)('the events of a real stream fold to the final reply: %s', async (_what, more) => {
  await using app = await startApp();
  const input = {
    model: 'gpt-4o-thinking',
    count: 2,
    seed: 1,
    messages: [{ role: 'USER', content: { text: 'How do rivers form?' } }],
    ...more,
  } as const;
  const started = (await app.run(StartChatDocument, { input })).data?.startChat;
  const id = started?.__typename === 'Generation' ? started.id : '';
  let view = emptyChat;
  for await (const { data } of subscribe(app.wsClient(), ChatEventsDocument, { id })) {
    if (data) view = applyChatEvent(view, data.chatEvents);
  }
  const query = `query ($id: ID!) { generation(by: { id: $id }) { output { ... on ChatCompletion { sequence choices {
    index finishReason message { content reasoningContent refusal toolCalls { index id name arguments } } } } } } }`;
  const { data } = await app.run<
    { generation: { output: { sequence: number; choices: { index: number; message: object }[] } } },
    object
  >(query, { id });
  const output = data?.generation.output;
  const { text, reasoning, refusal, toolCalls, finishReason } = view;
  expect(view).toMatchObject({ id, status: 'completed', error: null, isEnded: true, isBroken: false });
  expect(view.sequence).toBe(output?.sequence);
  expect(view.usage?.totalTokens).toBeGreaterThan(0);
  expect(
    view.choices.map(({ index, finishReason: reason, content, toolCalls: calls, ...message }) => ({
      index,
      finishReason: reason,
      message: { content: content || null, toolCalls: calls.length > 0 ? calls : null, ...message },
    })),
  ).toEqual(output?.choices);
  const [first] = view.choices;
  expect({ content: text, reasoningContent: reasoning, refusal, toolCalls, finishReason, index: 0 }).toEqual(
    first,
  );
});

describe('applyChatEvent', () => {
  test('ignores duplicate events', () => {
    const view = apply(snapshot(0, ''), delta(1, 2, choice('ab')), delta(3, 3, choice('c')));
    for (const old of [delta(3, 3, choice('c')), delta(1, 2, choice('ab')), snapshot(2, 'ab')]) {
      expect(applyChatEvent(view, old)).toBe(view);
    }
  });

  test('detects a gap and recovers from a snapshot', () => {
    const broken = apply(snapshot(0, ''), delta(1, 1, choice('a')), delta(3, 3, choice('c')));
    expect(broken).toMatchObject({ sequence: 1, isBroken: true, choices: [{ content: 'a' }] });
    const healed = [snapshot(4, 'abcd'), delta(5, 5, choice('e', { finishReason: 'stop' }))].reduce(
      applyChatEvent,
      broken,
    );
    expect(healed).toMatchObject({
      sequence: 5,
      isBroken: false,
      choices: [{ content: 'abcde', finishReason: 'stop' }],
    });
  });

  test('detects deltas missed just before the end', () => {
    expect(apply(snapshot(0, ''), delta(1, 1, choice('a')), end(2))).toMatchObject({
      isEnded: true,
      isBroken: true,
    });
    expect(apply(snapshot(0, ''), delta(1, 1, choice('a')), end(1))).toMatchObject({
      isEnded: true,
      isBroken: false,
    });
  });

  test('passes over an event of a type that it does not know, such as that of a newer server', () => {
    const newer = Object.assign(end(1), { __typename: 'ChatHeld' });
    expect(apply(snapshot(1, 'one'), newer, delta(2, 2, choice(' two')), end(2))).toMatchObject({
      status: 'completed',
      text: 'one two',
      isBroken: false,
    });
    expect(apply(snapshot(1, 'one'), newer)).toEqual(apply(snapshot(1, 'one')));
  });

  test('keeps several candidates apart and in order', () => {
    const view = apply(
      snapshot(0, ''),
      delta(1, 1, choice('x', { index: 2 }), choice('y', { index: 1, reasoningContent: 'r' })),
      delta(2, 2, choice('z', { index: 2 })),
    );
    expect(
      view.choices.map(({ index, content, reasoningContent }) => [index, content, reasoningContent]),
    ).toEqual([
      [0, '', ''],
      [1, 'y', 'r'],
      [2, 'xz', ''],
    ]);
  });

  test('ends a chat that was refused before its first event', () => {
    const view = apply({
      __typename: 'ChatFailed',
      generationId: null,
      sequence: 0,
      error: { code: 'NOT_RESUMABLE', message: 'x', retry: 'NEVER', retryAfterSeconds: null },
    });
    expect(view).toEqual({
      ...emptyChat,
      status: 'failed',
      error: { code: 'NOT_RESUMABLE', message: 'x', retry: 'NEVER', retryAfterSeconds: null },
      isEnded: true,
    });
  });
});
