import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  ask,
  createChatCompletion,
  findGeneration,
  made,
  streamChat,
  type ToolCallPart,
  toEnd,
} from '../../support/chats.ts';
import { foldChat } from '../../support/fold-chat.ts';
import { chunk, startScripted } from '../../support/scripted-gateway.ts';

interface WirePart {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown };
}

/** A part of a call on the wire. Members without a value are absent. */
function part(
  index: number | null | undefined,
  id?: string | null,
  name?: string | null,
  text?: unknown,
): WirePart {
  return {
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    ...((name !== undefined || text !== undefined) && {
      function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
    }),
  };
}

function call(index: number, id: string | null, name: string | null, text: string | null): ToolCallPart {
  return { index, id, name, arguments: text };
}

const two = [call(0, 'a', 'f', '{"x":1}'), call(1, 'b', 'g', '[]')];
const none = undefined;

/** The calls of each chunk of a stream, and the calls that they are. */
const streams: readonly [string, readonly (readonly WirePart[])[], readonly ToolCallPart[]][] = [
  ['whole calls of equal index', [[part(0, 'a', 'f', '{"x":1}')], [part(0, 'b', 'g', '[]')]], two],
  ['whole calls without index', [[part(none, 'a', 'f', '{"x":1}')], [part(none, 'b', 'g', '[]')]], two],
  ['whole calls with a null index', [[part(null, 'a', 'f', '{"x":1}')], [part(null, 'b', 'g', '[]')]], two],
  ['equal index in one chunk', [[part(0, 'a', 'f', '{"x":1}'), part(0, 'b', 'g', '[]')]], two],
  ['no index in one chunk', [[part(none, 'a', 'f', '{"x":1}'), part(none, 'b', 'g', '[]')]], two],
  [
    'arguments as objects, of equal index',
    [[part(0, 'a', 'f', { x: 1 })], [part(0, 'b', 'f', { x: 2 })]],
    [call(0, 'a', 'f', '{"x":1}'), call(1, 'b', 'f', '{"x":2}')],
  ],
  [
    'parts of equal index, without ids after the first',
    [
      [part(0, 'a', 'f', '')],
      [part(0, none, none, '{"x"')],
      [part(0, none, none, ':1}')],
      [part(0, 'b', 'g', '[')],
      [part(0, none, none, ']')],
    ],
    two,
  ],
  [
    'parts without index, without ids after the first',
    [
      [part(none, 'a', 'f')],
      [part(none, none, none, '{"x":1}')],
      [part(none, 'b', 'g')],
      [part(none, none, none, '[]')],
    ],
    two,
  ],
  [
    'an id and a name in every part',
    [
      [part(0, 'a', 'f', '{"x"')],
      [part(0, 'a', 'f', ':1}')],
      [part(0, 'b', 'g', '[')],
      [part(0, 'b', 'g', ']')],
    ],
    two,
  ],
  [
    'an id in every part, interleaved, without index',
    [
      [part(none, 'a', 'f', '{"x"')],
      [part(none, 'b', 'g', '[')],
      [part(none, 'a', none, ':1}')],
      [part(none, 'b', none, ']')],
    ],
    two,
  ],
  [
    'an id in every part, interleaved, of equal index',
    [
      [part(0, 'a', 'f', '{"x"'), part(0, 'b', 'g', '[')],
      [part(0, 'a', none, ':1}'), part(0, 'b', none, ']')],
    ],
    two,
  ],
  [
    'empty ids and names in later parts',
    [[part(0, 'a', 'f', '{"x"')], [part(0, '', '', ':1}')], [part(1, 'b', 'g', '[')], [part(1, '', '', ']')]],
    two,
  ],
  [
    'an index only in later parts',
    [
      [part(none, 'a', 'f', '')],
      [part(0, none, none, '{"x":1}')],
      [part(none, 'b', 'g', '')],
      [part(1, none, none, '[]')],
    ],
    two,
  ],
  [
    'an id that comes after the name',
    [
      [part(0, none, 'f', '')],
      [part(0, 'a', none, '{"x":1}')],
      [part(1, none, 'g', '[')],
      [part(1, 'b', 'g', ']')],
    ],
    two,
  ],
  [
    'a name that comes after the id',
    [[part(0, 'a')], [part(0, none, 'f', '{"x":1}')], [part(1, 'b')], [part(1, 'b', 'g', '[]')]],
    two,
  ],
  [
    'a name that comes after the id, of equal index',
    [[part(0, 'a')], [part(0, none, 'f', '{"x":1}')], [part(0, 'b')], [part(0, none, 'g', '[]')]],
    two,
  ],
  [
    'a new id without a name before complete arguments',
    [[part(0, 'a', 'f', '{"x":1}')], [part(0, 'b', none, '[]')], [part(0, none, 'g', '')]],
    two,
  ],
  [
    'another id in every part, without names after the first',
    [[part(0, 'a', 'f', '{')], [part(0, 'a2', none, '"x"')], [part(0, 'a3', none, ':1}')]],
    [call(0, 'a', 'f', '{"x":1}')],
  ],
  [
    'different names without ids',
    [[part(0, none, 'f', '{"x"')], [part(0, none, none, ':1}')], [part(0, none, 'g', '[]')]],
    [call(0, null, 'f', '{"x":1}'), call(1, null, 'g', '[]')],
  ],
  [
    'equal names without ids, each with whole arguments',
    [[part(none, '', 'f', '{"x":"}{"}')], [part(none, '', 'f', '{"x":"\\""}')]],
    [call(0, null, 'f', '{"x":"}{"}'), call(1, null, 'f', '{"x":"\\""}')],
  ],
  [
    'a name in every part without ids',
    [
      [part(0, none, 'f', '{"x":[{}')],
      [part(0, none, 'f', ']')],
      [part(0, none, 'f', '}')],
      [part(0, none, 'f', '')],
    ],
    [call(0, null, 'f', '{"x":[{}]}')],
  ],
  [
    'calls that continue in chunks of their index, of equal and of other index',
    [
      [part(0, 'a', 'f', '{}')],
      [part(0, 'b', 'g', '[')],
      [part(1, 'c', 'h', '{')],
      [part(0, none, none, ']')],
      [part(1, none, none, '}')],
    ],
    [call(0, 'a', 'f', '{}'), call(1, 'b', 'g', '[]'), call(2, 'c', 'h', '{}')],
  ],
  [
    'indexes that do not begin at 0',
    [[part(3, 'a', 'f', '{}')], [part(1, 'b', 'g', '[]')], [part(3, 'c', 'h', '{}')]],
    [call(1, 'b', 'g', '[]'), call(3, 'a', 'f', '{}'), call(4, 'c', 'h', '{}')],
  ],
  [
    'the highest index twice',
    [[part(2 ** 31 - 1, 'a', 'f', '{}')], [part(2 ** 31 - 1, 'b', 'g', '[]')]],
    [call(0, 'b', 'g', '[]'), call(2 ** 31 - 1, 'a', 'f', '{}')],
  ],
  [
    'equal ids of different index',
    [
      [part(0, 'a', 'f', '{"x"'), part(1, 'a', 'g', '[')],
      [part(0, 'a', none, ':1}'), part(1, 'a', none, ']')],
    ],
    [call(0, 'a', 'f', '{"x":1}'), call(1, 'a', 'g', '[]')],
  ],
];

/** The calls of a whole message, and what they are. */
const documents: readonly [string, readonly WirePart[], readonly ToolCallPart[]][] = [
  ['equal index', [part(0, 'a', 'f', '{"x":1}'), part(0, 'b', 'g', '[]')], two],
  ['no index', [part(none, 'a', 'f', '{"x":1}'), part(none, 'b', 'g', '[]')], two],
  [
    'no ids and equal names',
    [part(none, none, 'f', '{}'), part(none, '', 'f', ''), part(none, null, 'f', '{}')],
    [call(0, null, 'f', '{}'), call(1, null, 'f', ''), call(2, null, 'f', '{}')],
  ],
  [
    'equal ids',
    [part(0, 'a', 'f', '{}'), part(0, 'a', 'f', '{}')],
    [call(0, 'a', 'f', '{}'), call(1, 'a', 'f', '{}')],
  ],
];

function rawCallsOf(raw: unknown): unknown {
  return (raw as { choices: { message: { tool_calls: unknown } }[] }).choices[0]?.message.tool_calls;
}

describe('tool calls of a stream', () => {
  test.each(streams)('%s', async (_name, chunks, expected) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    const exchange = await gateway.exchange(0);
    for (const calls of chunks) exchange.send(chunk({ tool_calls: calls }));
    exchange.send(chunk({}, 'tool_calls'), '[DONE]');
    const events = await watching;
    const end = events.at(-1);
    if (end?.__typename !== 'ChatCompleted') throw new Error(JSON.stringify(end));
    // Compares the deltas with `soFar` of each event.
    expect(foldChat(events).choices[0]?.toolCalls).toEqual(expected);
    const recorded = await findGeneration(app, end.ended.id);
    expect(recorded?.output?.choices[0]?.message.toolCalls).toEqual(expected);
    expect(rawCallsOf(recorded?.raw)).toEqual(
      expected.map(({ id, name, arguments: text }) => ({
        ...(id !== null && { id }),
        type: 'function',
        function: { ...(name !== null && { name }), arguments: text },
      })),
    );
  });
});

describe('tool calls of a whole reply', () => {
  test.each(documents)('%s', async (_name, calls, expected) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const message = { role: 'assistant', content: null, tool_calls: calls };
    const reply = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const creating = createChatCompletion(app, { input: ask('Hello') });
    (await gateway.exchange(0)).reply(200, reply);
    const whole = made(await creating);
    expect(whole.output?.choices[0]?.message.toolCalls).toEqual(expected);
    expect(rawCallsOf(whole.raw)).toEqual(calls);
    const watching = toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    (await gateway.exchange(1)).reply(200, reply);
    expect(foldChat(await watching).choices[0]?.toolCalls).toEqual(expected);
  });
});

describe('parallel tool calls of the sandbox', () => {
  let app: TestApp & AsyncDisposable;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const tools = [
    {
      function: {
        name: 'get_weather',
        description: 'The weather in a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ];

  test.each(['gpt-4o', 'fault-equal-call-index', 'fault-no-call-index'])(
    '%s: both calls arrive, streamed and whole',
    async (model) => {
      const input = ask('What is the weather in Oslo and in Rome?', { model, tools });
      const events = await toEnd(streamChat(app.wsClient(), { input }));
      const whole = made(await createChatCompletion(app, { input }));
      for (const calls of [
        foldChat(events).choices[0]?.toolCalls,
        whole.output?.choices[0]?.message.toolCalls,
      ]) {
        expect(calls?.map(({ index, name }) => [index, name])).toEqual([
          [0, 'get_weather'],
          [1, 'get_weather'],
        ]);
        expect(new Set(calls?.map(({ id }) => id)).size).toBe(2);
        expect(calls?.map((each) => JSON.parse(each.arguments ?? '') as unknown)).toEqual([
          { city: 'Oslo' },
          { city: 'Rome' },
        ]);
      }
    },
  );
});
