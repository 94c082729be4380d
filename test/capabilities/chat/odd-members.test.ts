import { describe, expect, test } from 'vitest';
import { ask, type ChatEvent, streamChat, toEnd } from '../../support/chats.ts';
import { foldChat } from '../../support/fold-chat.ts';
import { startScripted } from '../../support/scripted-gateway.ts';

/** The events of a chat whose reply has these chunks, and the recorded reply. */
async function play(choices: readonly (readonly object[])[]) {
  await using scripted = await startScripted();
  const ended = toEnd(streamChat(scripted.app.wsClient(), { input: ask('Hello') }));
  const exchange = await scripted.gateway.exchange(0);
  exchange.send(...choices.map((each) => ({ choices: each })), '[DONE]');
  const events: readonly ChatEvent[] = await ended;
  const end = events.at(-1);
  if (end?.__typename !== 'ChatCompleted') throw new Error(JSON.stringify(end));
  return { choices: foldChat(events).choices, raw: end.ended.raw };
}

const call = (index: unknown, members: object) => ({ delta: { tool_calls: [{ index, ...members }] } });

describe('a streamed chat', () => {
  test('shows the reasoning beside an empty reasoning_content', async () => {
    const { choices, raw } = await play([
      [{ delta: { reasoning_content: '', reasoning: 'be' } }],
      [{ delta: { reasoning_content: '', reasoning: 'cause' } }],
      [{ delta: { reasoning_content: '', content: 'Yes' }, finish_reason: 'stop' }],
    ]);
    expect(choices).toMatchObject([{ reasoningContent: 'because', content: 'Yes' }]);
    expect(raw).toMatchObject({ choices: [{ message: { reasoning_content: 'because' } }] });
  });

  test('keeps candidates apart whose index is text', async () => {
    const { choices } = await play([
      [{ index: '0', delta: { content: 'one ' } }],
      [{ index: '1', delta: { content: 'two ' } }],
      [{ index: '0', delta: { content: 'first' } }],
      [{ index: '1', delta: { content: 'second' } }],
    ]);
    expect(choices).toMatchObject([
      { index: 0, content: 'one first' },
      { index: 1, content: 'two second' },
    ]);
  });

  test('joins the parts of tool calls whose index is text and whose id is a number', async () => {
    const { choices } = await play([
      [call('0', { id: 7, function: { name: 'f', arguments: '{"a":' } })],
      [call('1', { id: 8, function: { name: 'g', arguments: '{"b":' } })],
      [call('0', { function: { arguments: '1}' } })],
      [call('1', { function: { arguments: '2}' } })],
    ]);
    expect(choices[0]?.toolCalls).toEqual([
      { index: 0, id: '7', name: 'f', arguments: '{"a":1}' },
      { index: 1, id: '8', name: 'g', arguments: '{"b":2}' },
    ]);
  });
});

describe('the recorded reply of a stream', () => {
  test('has a role and members that no field shows', async () => {
    const { choices, raw } = await play([
      [{ delta: { role: 'model', content: 'Yes' } }],
      [{ delta: { reasoning: { steps: ['a'] }, refusal: { category: 'x' } } }],
      [{ delta: { reasoning: { steps: ['b'] }, function_call: 'f' }, finish_reason: 5 }],
      [call(0, { id: { a: 1 }, function: 'g' })],
    ]);
    expect(choices).toMatchObject([{ role: null, content: 'Yes' }]);
    expect(raw).toMatchObject({
      choices: [
        {
          message: {
            role: 'model',
            content: 'Yes',
            reasoning: { steps: ['a', 'b'] },
            refusal: { category: 'x' },
            function_call: 'f',
            tool_calls: [{ id: { a: 1 }, type: 'function' }],
          },
          finish_reason: 5,
        },
      ],
    });
  });

  test('has the known role and the text, whatever else was sent for them', async () => {
    const { raw } = await play([
      [{ delta: { role: 'assistant', content: 'Yes' } }],
      [{ delta: { role: 'model', content: 12, refusal: 'no' } }],
      [{ delta: { role: '', refusal: 5 }, finish_reason: 'stop' }],
    ]);
    expect(raw).toEqual({
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Yes', refusal: 'no' },
          finish_reason: 'stop',
        },
      ],
    });
  });
});
