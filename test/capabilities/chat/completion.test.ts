import { describe, expect, test } from 'vitest';
import { createChatLog } from '../../../src/capabilities/chat/chat-log.ts';
import { createChunkReader } from '../../../src/capabilities/chat/chunk-reader.ts';
import {
  applyDelta as apply,
  type ChatChoice,
  type ChatDelta,
  type ChatState,
  emptyChat as initial,
  joinToolCalls,
  mergeDeltas as merge,
} from '../../../src/capabilities/chat/completion.ts';
import type { TextRun } from '../../../src/streams/shape.ts';
import { createRandom } from '../../support/random.ts';

const fold = (deltas: readonly ChatDelta[], state: ChatState = initial): ChatState =>
  deltas.reduce(apply, state);

/** Seeded random chunks in the form of an irregular gateway. */
function createChunks(seed: number): readonly Readonly<Record<string, unknown>>[] {
  const random = createRandom(seed);
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const text = (): string | undefined =>
    pick(undefined, undefined, '', 'a', 'bc ', '漢', '😀', '\ud83d', '\ude00', 'e\u0301', '\u0000', '"}');
  const call = () => ({
    index: pick(0, 0, 1, 2, 7, undefined),
    id: pick(undefined, 'i', 'j'),
    function: pick(undefined, { name: pick(undefined, 'f'), arguments: text() }),
    extra_content: pick(undefined, undefined, { google: { thought_signature: 's' } }),
  });
  const image = () => ({
    type: 'image_url',
    image_url: { url: pick('https://a.example/1.png', 'data:image/png;base64,AA==') },
  });
  const part = () =>
    pick<object>({ type: 'text', text: text() ?? 'd' }, image(), { type: 'audio', data: 'x' });
  const choice = () => ({
    index: pick(0, 0, 0, 1, 3, undefined),
    delta: pick(undefined, {
      role: pick(undefined, 'assistant', 'wizard'),
      content: pick<unknown>(text(), text(), text(), [part()], [part(), part(), part()]),
      images: pick(undefined, undefined, undefined, [image()], [image(), image()]),
      reasoning_content: text(),
      refusal: pick(undefined, undefined, text()),
      tool_calls: pick(undefined, undefined, [call()], [call(), call(), call()]),
      function_call: pick(undefined, undefined, { name: pick(undefined, 'g'), arguments: text() }),
    }),
    finish_reason: pick(undefined, undefined, undefined, null, 'stop', 'length'),
  });
  return Array.from({ length: 12 }, () => ({
    model: pick(undefined, 'm', 'n'),
    choices: pick([choice()], [choice()], [choice(), choice()], [], undefined),
  }));
}

function readAll(chunks: ReturnType<typeof createChunks>): readonly ChatDelta[] {
  const reader = createChunkReader();
  return chunks.flatMap((chunk) => reader.read(chunk) ?? []);
}

/** The state without undefined members, as the graph shows it. */
const shown = (state: ChatState): unknown => JSON.parse(JSON.stringify(state));

describe('the state of a reply', () => {
  test('is the same for every way of merging its deltas', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const deltas = readAll(createChunks(seed));
      const whole = shown(fold(deltas));
      expect(shown(merge(deltas))).toEqual(whole);
      const random = createRandom(seed);
      let state = initial;
      for (let at = 0; at < deltas.length;) {
        const next = at + 1 + Math.floor(random() * 4);
        state = apply(state, merge(deltas.slice(at, next)));
        at = next;
      }
      expect(shown(state)).toEqual(whole);
      for (let split = 0; split <= deltas.length; split += 1) {
        const halves = [merge(deltas.slice(0, split)), merge(deltas.slice(split))];
        expect(shown(fold(halves))).toEqual(whole);
      }
    }
  });

  test('equals any earlier state plus the deltas that the log returns after it', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const deltas = readAll(createChunks(seed));
      const maxLength = seed % 2 === 0 ? 100 : 1 + (seed % 7);
      const log = createChatLog(maxLength);
      const states = [initial];
      for (const [count, delta] of deltas.entries()) {
        const before = states[count] ?? initial;
        log.append(delta, before);
        const now = apply(before, delta);
        states.push(now);
        const held = states.flatMap((then, sequence) => {
          const since = log.since(sequence, now);
          return since ? [shown(apply(then, since))] : [];
        });
        expect(held).toEqual(held.map(() => shown(now)));
        // The log holds at least half of its maximum length, and never more than the maximum.
        const [least, most] = [Math.min(count + 1, Math.ceil(maxLength / 2)), Math.min(count + 1, maxLength)];
        expect(held.length - 1).toBeGreaterThanOrEqual(least);
        expect(held.length - 1).toBeLessThanOrEqual(most);
      }
    }
  });

  test('equals any earlier state plus what the log returns, if it took some deltas in one step', () => {
    let taken = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = createRandom(seed);
      const texts = (index: number): readonly ChatDelta[] =>
        Array.from({ length: 1 + Math.floor(random() * 5) }, (_, number) => ({
          model: 'm',
          choices: [{ index, content: 'x'.repeat(Math.floor(random() * 3)) + String(number) }],
        }));
      const runs = new Set([texts(seed % 2), texts(0)]);
      const [first = [], second = first] = runs;
      const toRun = (batch: readonly ChatDelta[]): TextRun<ChatDelta> | undefined =>
        runs.has(batch)
          ? { texts: batch.map(({ choices }) => choices[0]?.content ?? ''), merged: merge(batch) }
          : undefined;
      const batches = readAll(createChunks(seed)).flatMap((delta) => [first, [delta], second]);
      const maxLength = seed % 3 === 0 ? 1 + (seed % 9) : 1000;
      const [log, reference] = [createChatLog(maxLength), createChatLog(maxLength)];
      const states = [initial];
      for (const batch of batches) {
        const before = states.at(-1) ?? initial;
        const run = toRun(batch);
        const isTaken = run !== undefined && log.appendRun?.(run, before) === true;
        if (isTaken) taken += 1;
        for (const delta of batch) {
          const state = states.at(-1) ?? initial;
          if (!isTaken) log.append(delta, state);
          reference.append(delta, state);
          states.push(apply(state, delta));
        }
        const now = states.at(-1) ?? initial;
        expect(shown(apply(before, merge(batch)))).toEqual(shown(now));
        for (const sequence of states.keys())
          expect(log.since(sequence, now)).toEqual(reference.since(sequence, now));
      }
    }
    expect(taken).toBeGreaterThan(100);
  });

  test('is computed without mutating states and deltas', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      let state = initial;
      const before: { readonly state: ChatState; readonly text: string }[] = [];
      for (const delta of readAll(createChunks(seed))) {
        const text = JSON.stringify(delta);
        before.push({ state, text: JSON.stringify(state) });
        state = apply(state, delta);
        expect(JSON.stringify(delta)).toBe(text);
      }
      for (const { state: old, text } of before) expect(JSON.stringify(old)).toBe(text);
    }
  });

  test('has unique choices and calls sorted by index', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { choices } = fold(readAll(createChunks(seed)));
      const ascending = (items: readonly { readonly index: number }[] = []): boolean =>
        items.every(({ index }, place) => index > (items[place - 1]?.index ?? -1));
      expect(ascending(choices)).toBe(true);
      for (const { toolCalls } of choices) expect(ascending(toolCalls)).toBe(true);
    }
  });

  test('keeps the first role, id, name and model, and the last finish reason', () => {
    const choice = (part: Omit<ChatChoice, 'index'>): ChatDelta => ({
      model: 'm',
      choices: [{ index: 0, ...part }],
    });
    const state = fold([
      choice({
        role: 'assistant',
        finishReason: 'a',
        toolCalls: [{ index: 0, id: 'x', name: 'f', arguments: '{' }],
      }),
      { ...choice({ role: 'user', finishReason: 'b' }), model: 'n' },
      choice({ toolCalls: [{ index: 0, id: 'y', name: 'g', arguments: '}' }] }),
      choice({ functionCall: { arguments: '1' } }),
      choice({ functionCall: { name: 'h', arguments: '2' } }),
    ]);
    expect(shown(state)).toEqual({
      model: 'm',
      choices: [
        {
          index: 0,
          role: 'assistant',
          finishReason: 'b',
          toolCalls: [{ index: 0, id: 'x', name: 'f', arguments: '{}' }],
          functionCall: { name: 'h', arguments: '12' },
        },
      ],
    });
  });

  test('has empty text after an empty delta, and no text without a delta', () => {
    const state = fold([{ choices: [{ index: 0, content: '' }] }]);
    expect(state.choices[0]).toMatchObject({ content: '' });
    expect(state.choices[0]?.refusal).toBeUndefined();
  });

  test('is empty without deltas', () => {
    expect(merge([])).toEqual({ choices: [] });
  });

  test('joins tool calls in any order into a list sorted by index', () => {
    expect(
      joinToolCalls([
        { index: 2, arguments: 'c' },
        { index: 0, id: 'a' },
        { index: 2, name: 'f', arguments: 'd' },
        { index: 0, arguments: '' },
      ]),
    ).toMatchObject([
      { index: 0, id: 'a', arguments: '' },
      { index: 2, name: 'f', arguments: 'cd' },
    ]);
  });
});

describe('deltas', () => {
  test('never end inside a character', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const deltas = readAll(createChunks(seed));
      for (const delta of deltas) expect(JSON.stringify(delta)).not.toMatch(/\\ud[89a-f]/);
    }
  });
});
