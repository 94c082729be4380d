import { describe, expect, test } from 'vitest';
import { createChunkReader } from '../../../src/capabilities/chat/chunk-reader.ts';
import { applyDelta, emptyChat } from '../../../src/capabilities/chat/completion.ts';

describe('a chunk reader', () => {
  test('joins the halves of a character', () => {
    const reader = createChunkReader();
    const content = (text: string, finish_reason?: string) =>
      reader.read({ choices: [{ index: 0, delta: { content: text }, finish_reason }] })?.choices[0]?.content;
    expect(content('a\ud83d')).toBe('a');
    expect(content('\ude00\ud83d')).toBe('😀');
    expect(content('')).toBeUndefined();
    expect(content('\ud83d')).toBe('\ufffd');
    expect(content('x', 'stop')).toBe('\ufffdx');
    expect(content('\ud83d', 'stop')).toBe('\ufffd');
  });

  test('buffers halves separately by choice and channel', () => {
    const reader = createChunkReader();
    const read = (index: number, delta: object) => reader.read({ choices: [{ index, delta }] })?.choices;
    expect(read(0, { content: '\ud83d' })).toBeUndefined();
    expect(read(1, { content: '\ud83e' })).toBeUndefined();
    expect(read(0, { reasoning_content: '\ud83f' })).toBeUndefined();
    expect(read(0, { content: '\ude00' })).toMatchObject([{ index: 0, content: '\ud83d\ude00' }]);
    expect(read(1, { content: '\udd17' })).toMatchObject([{ index: 1, content: '\ud83e\udd17' }]);
  });

  test('yields no delta for a chunk without new data', () => {
    const reader = createChunkReader();
    for (const chunk of [
      {},
      { choices: [] },
      { choices: [{}] },
      { choices: [{ index: 0, delta: {} }] },
      { choices: [{ index: 0, delta: { content: null }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { annotations: [1] } }] },
    ]) {
      expect(reader.read(chunk)).toBeUndefined();
    }
  });

  test('keeps the last reported usage', () => {
    const reader = createChunkReader();
    reader.read({ usage: { prompt_tokens: 1 } });
    reader.read({ usage: null });
    reader.read({
      usage: { prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } },
    });
    reader.read({ usage: 'none' });
    expect(reader.usage).toMatchObject({ promptTokens: 1, completionTokens: 2, reasoningTokens: 1 });
    const other = createChunkReader();
    other.read({ usage: { input_tokens: 3, output_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } } });
    expect(other.usage).toMatchObject({ promptTokens: 3, completionTokens: 4, cachedTokens: 2 });
  });

  test('reads a document like a stream of one chunk, including the legacy text form', () => {
    const reader = createChunkReader();
    expect(
      reader.read({ choices: [{ text: 'a', finish_reason: 'stop' }, { message: { content: 'b' } }] }),
    ).toMatchObject({
      choices: [
        { index: 0, content: 'a', finishReason: 'stop' },
        { index: 1, content: 'b' },
      ],
    });
  });

  test('keeps every unknown member, including one named __proto__', () => {
    const reader = createChunkReader();
    const chunk: Readonly<Record<string, unknown>> = JSON.parse(
      '{"__proto__":{"a":1},"id":"c","choices":[{"index":0,"delta":{"content":"x","__proto__":{"b":1}}}]}',
    );
    const state = applyDelta(emptyChat, reader.read(chunk) ?? { choices: [] });
    expect(JSON.stringify(reader.toRaw(state))).toBe(
      '{"__proto__":{"a":1},"id":"c","choices":[{"index":0,"message":{"content":"x","__proto__":{"b":1}},"finish_reason":null}]}',
    );
  });

  test.each([
    ['the text of a choice', { content: 'a' }, 'a'],
    ['nothing beside reasoning', { content: 'a', reasoning_content: 'b' }, undefined],
    ['nothing beside a refusal', { content: 'a', refusal: 'b' }, undefined],
    ['nothing beside a list', { content: 'a', annotations: ['b'] }, undefined],
    ['nothing beside a list in an object', { content: 'a', audio: { parts: ['b'] } }, undefined],
  ])('takes %s as plain text', (_name, delta, text) => {
    expect(createChunkReader().textOf?.({ choices: [{ index: 0, delta }] })).toBe(text);
  });
});
