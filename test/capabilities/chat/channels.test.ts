import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatInput } from '../../../src/client/documents.generated.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  ask,
  type ChatEvent,
  type ChoicePart,
  type Completion,
  createChatCompletion,
  made,
  nextEvent,
  streamChat,
  toEnd,
} from '../../support/chats.ts';
import { foldChat } from '../../support/fold-chat.ts';
import { chunk, type Exchange, startScripted } from '../../support/scripted-gateway.ts';

let app: TestApp & AsyncDisposable;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** The choices of a streamed reply. Also checks that they equal those of the unstreamed reply. */
async function choicesOf(input: ChatInput): Promise<readonly ChoicePart[]> {
  const events = await toEnd(streamChat(app.wsClient(), { input }));
  expect(events.at(-1)?.__typename).toBe('ChatCompleted');
  const { choices } = foldChat(events);
  const whole = made(await createChatCompletion(app, { input })).output;
  const streamed = choices.map(({ index, finishReason, ...message }) => ({ index, finishReason, message }));
  expect(withoutIds(streamed)).toEqual(withoutIds(whole?.choices ?? []));
  return choices;
}

/** Masks ids, because the sandbox generates new tool call ids for each request. */
function withoutIds(choices: Completion['choices']): unknown {
  return JSON.parse(JSON.stringify(choices, (key, value: unknown) => (key === 'id' ? 'any' : value)));
}

const weather = {
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe("the sandbox's replies", () => {
  test('text has a role, an empty first delta and a finish reason', async () => {
    const [choice] = await choicesOf(ask('Hello'));
    expect(choice).toMatchObject({
      index: 0,
      role: 'ASSISTANT',
      finishReason: 'stop',
      refusal: null,
      reasoningContent: null,
      toolCalls: null,
      functionCall: null,
    });
  });

  test('a tool call has its id and name once and its arguments in several deltas', async () => {
    const input = ask('What is the weather in Paris?', {
      tools: [weather],
      toolChoice: { mode: 'REQUIRED' },
    });
    const [choice] = await choicesOf(input);
    expect(choice).toMatchObject({ finishReason: 'tool_calls', content: null });
    expect(choice?.toolCalls).toEqual([
      { index: 0, id: expect.stringMatching(/./), name: 'get_weather', arguments: expect.any(String) },
    ]);
    expect(JSON.parse(choice?.toolCalls?.[0]?.arguments ?? '')).toHaveProperty('city');
  });

  test('a legacy function call arrives in several deltas', async () => {
    const input = ask('What is the weather in Paris?', {
      toolChoice: { mode: 'REQUIRED' },
      extra: { functions: [weather.function] },
    });
    const [choice] = await choicesOf(input);
    expect(choice).toMatchObject({ finishReason: 'function_call', functionCall: { name: 'get_weather' } });
    expect(JSON.parse(choice?.functionCall?.arguments ?? '')).toHaveProperty('city');
  });

  test.each<[string, Partial<ChatInput>]>([
    ['a model suffix', { model: 'gpt-4o-thinking' }],
    ['enableThinking', { enableThinking: true }],
    ['extraBody', { extraBody: { google: { thinking_config: { include_thoughts: true } } } }],
  ])('reasoning requested by %s has its own channel', async (_name, input) => {
    const [choice] = await choicesOf(ask('How do rivers form?', input));
    expect(choice?.reasoningContent).not.toBeNull();
    expect(choice?.content).not.toBeNull();
    expect(choice?.content).not.toContain(choice?.reasoningContent);
  });

  test('two choices arrive interleaved and stay separate', async () => {
    const choices = await choicesOf(ask('Name a river.', { count: 2 }));
    expect(choices.map(({ index, finishReason }) => [index, finishReason])).toEqual([
      [0, 'stop'],
      [1, 'stop'],
    ]);
    expect(choices[0]?.content).not.toBe(choices[1]?.content);
  });

  test('a token limit shows in the finish reason', async () => {
    const [choice] = await choicesOf(ask('Tell me about rivers.', { maxTokens: 3 }));
    expect(choice?.finishReason).toBe('length');
  });

  test('a character split between two chunks arrives complete', async () => {
    const [choice] = await choicesOf(ask('Hello', { model: 'fault-split-surrogate' }));
    expect(choice?.content).toContain('😀');
    expect(choice?.content).not.toContain('\ufffd');
  });
});

describe('replies of other gateways', () => {
  async function play(script: (exchange: Exchange) => void): Promise<readonly ChatEvent[]> {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    script(await gateway.exchange(0));
    const events = await watching;
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    return events;
  }

  test('a refusal has its own channel', async () => {
    const events = await play((exchange) =>
      exchange.send(
        chunk({ role: 'assistant', refusal: 'I ' }),
        chunk({ refusal: 'cannot.' }),
        chunk({}, 'stop'),
        '[DONE]',
      ),
    );
    expect(foldChat(events).choices).toMatchObject([
      { role: 'ASSISTANT', refusal: 'I cannot.', content: null, finishReason: 'stop' },
    ]);
  });

  test('reasoning is read under its alternative name', async () => {
    const events = await play((exchange) => exchange.send(chunk({ reasoning: 'Hm.' }), '[DONE]'));
    expect(foldChat(events).choices).toMatchObject([{ reasoningContent: 'Hm.', content: null }]);
  });

  test('content parts become their text', async () => {
    const events = await play((exchange) =>
      exchange.send(
        chunk({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, 'x', { text: 'b' }] }),
        '[DONE]',
      ),
    );
    expect(foldChat(events).choices).toMatchObject([{ content: 'ab' }]);
  });

  test('split and interleaved tool calls in any order are merged by index', async () => {
    const call = (...calls: readonly object[]): object => chunk({ tool_calls: calls });
    const events = await play((exchange) =>
      exchange.send(
        call(
          { index: 1, id: 'b', function: { name: 'second', arguments: '{"x"' } },
          { index: 0, id: 'a', function: { name: 'first', arguments: '{' } },
          { index: 0, function: { arguments: '"y"' } },
        ),
        call({ index: 0, function: { arguments: ':1}' } }),
        call({ index: 1, id: 'other', function: { arguments: ':2}' } }),
        '[DONE]',
      ),
    );
    expect(foldChat(events).choices[0]?.toolCalls).toEqual([
      { index: 0, id: 'a', name: 'first', arguments: '{"y":1}' },
      { index: 1, id: 'b', name: 'second', arguments: '{"x":2}' },
    ]);
  });

  test('values that occur once are sent once, even if the gateway repeats them or sends them empty', async () => {
    const call = (id: string, name: string, text: string): object =>
      chunk({ role: 'assistant', tool_calls: [{ index: 0, id, function: { name, arguments: text } }] }, '');
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const events = streamChat(app.wsClient(), { input: ask('Hello') });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const seen = [await first];
    for (const sent of [call('', '', '{'), call('c', 'f', '"a"'), call('c', 'f', ':1'), call('', '', '}')]) {
      exchange.send(sent);
      seen.push(await nextEvent(events));
    }
    const reported = seen.flatMap((event) => (event.__typename === 'ChatDelta' ? event.choices : []));
    expect(reported.map(({ role }) => role)).toEqual(['ASSISTANT', null, null, null]);
    expect(reported.map(({ toolCalls }) => toolCalls)).toEqual([
      [{ index: 0, id: null, name: null, arguments: '{' }],
      [{ index: 0, id: 'c', name: 'f', arguments: '"a"' }],
      [{ index: 0, id: null, name: null, arguments: ':1' }],
      [{ index: 0, id: null, name: null, arguments: '}' }],
    ]);
    exchange.send(call('c', 'f', ''), chunk({}, 'tool_calls'), chunk({}, ''), '[DONE]');
    seen.push(...(await toEnd(events)));
    expect(foldChat(seen).choices).toMatchObject([
      { finishReason: 'tool_calls', toolCalls: [{ id: 'c', name: 'f', arguments: '{"a":1}' }] },
    ]);
  });

  test('a split character arrives complete when every chunk has an empty finish reason', async () => {
    const events = await play((exchange) => {
      exchange.send(chunk({ content: 'x\ud83d' }, ''));
      exchange.send(chunk({ content: '\ude00y' }, ''), '[DONE]');
    });
    expect(foldChat(events).choices).toMatchObject([{ content: 'x😀y', finishReason: null }]);
  });

  test('no delta ends inside a character on any channel', async () => {
    const channels = ['content', 'reasoning_content', 'refusal'] as const;
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const events = streamChat(app.wsClient(), { input: ask('Hello') });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const seen = [await first];
    for (const channel of channels) {
      exchange.send(chunk({ [channel]: 'a\ud83d' }));
      const event = await nextEvent(events);
      expect(JSON.stringify(event)).not.toContain('\\ud83d');
      seen.push(event);
      exchange.send(chunk({ [channel]: '\ude00b' }));
      seen.push(await nextEvent(events));
    }
    exchange.send(chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '"\ud83d' } }] }));
    exchange.send(chunk({ tool_calls: [{ index: 0, function: { arguments: '\ude00"' } }] }), '[DONE]');
    seen.push(...(await toEnd(events)));
    expect(foldChat(seen).choices).toMatchObject([
      { content: 'a😀b', reasoningContent: 'a😀b', refusal: 'a😀b', toolCalls: [{ arguments: '"😀"' }] },
    ]);
  });

  test('half a character at the end becomes a replacement character', async () => {
    const events = await play((exchange) =>
      exchange.send(chunk({ content: 'a\ud83d' }), chunk({}, 'stop'), '[DONE]'),
    );
    expect(foldChat(events).choices).toMatchObject([{ content: 'a\ufffd' }]);
  });

  test('bytes of one character in two reads become one character', async () => {
    const bytes = Buffer.from(`data: ${JSON.stringify(chunk({ content: '漢😀' }))}\n\ndata: [DONE]\n\n`);
    const middle = bytes.indexOf(Buffer.from('漢')) + 1;
    const events = await play((exchange) => {
      exchange.write(bytes.subarray(0, middle));
      exchange.write(bytes.subarray(middle));
    });
    expect(foldChat(events).choices).toMatchObject([{ content: '漢😀' }]);
  });
});
