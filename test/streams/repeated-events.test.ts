import { describe, expect, test } from 'vitest';
import { chatKind } from '../../src/capabilities/chat/chat-kind.ts';
import type { ChatDelta, ChatState } from '../../src/capabilities/chat/completion.ts';
import { createRedactor } from '../../src/gateway/redact.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import { isRecord } from '../../src/lib/json.ts';
import { drainReply } from '../../src/streams/drain-reply.ts';
import { createRepeatedEvents } from '../../src/streams/repeated-events.ts';
import type { GenerationStream, ReplyReader, StreamOutcome } from '../../src/streams/streamed-kind.ts';
import { createStreams } from '../../src/streams/streams.ts';
import { createRandom } from '../support/random.ts';

const credential = 'sk-Secret42Secret42';

/** Drains events into a stream and returns all that clients and the record receive. */
async function drain(events: readonly string[], { isFast }: { readonly isFast: boolean }) {
  const { textOf: _textOf, readText: _readText, ...parsing } = chatKind.createReader();
  const full: ReplyReader<ChatState, ChatDelta> = {
    ...parsing,
    get usage() {
      return chunks.usage;
    },
  };
  const chunks = chatKind.createReader();
  full.read = chunks.read;
  full.toRaw = chunks.toRaw;
  const reader = isFast ? chunks : full;
  const streams = createStreams({ clock: createSystemClock(), logMs: 0 });
  const opened = streams.open<ChatState, ChatDelta, StreamOutcome>(chatKind.shape, 'generation_1');
  const deltas: (readonly ChatDelta[])[] = [];
  const { append } = opened;
  const stream: GenerationStream<ChatState, ChatDelta> = Object.assign(opened, {
    append(added: readonly ChatDelta[]) {
      deltas.push(added);
      append(added);
    },
    reader,
    redactor: createRedactor(credential),
    timing: { sentAt: 0 },
  });
  const outcome = await drainReply({
    streamed: chatKind,
    stream,
    credential,
    clock: createSystemClock(),
    reply: {
      type: 'events',
      async read(onEvents) {
        for (const event of events) onEvents([event], false);
        return { type: 'end-of-file' };
      },
      discard() {},
    },
  });
  const { state, sequence } = stream;
  streams.drop(stream);
  streams.close();
  return { deltas, state, sequence, outcome, usage: reader.usage, raw: reader.toRaw(state) };
}

const literals = [
  'a',
  'Hello',
  '',
  ' world',
  '\\n',
  '\\"',
  '\\\\',
  '\\u00e9',
  '\\u0041',
  '\\ud83d',
  '\\ude00',
  '\\ud83d\\ude00',
  '😀',
  '\u2028',
  '\u007f',
  `x${credential}y`,
  'sk-Secret42',
  '12345678901234567890',
  'Secret42Secret42 alone',
  '}]}',
  '\\u0073k-Secret42Secret42',
];
/** Not the inside of a string, or not valid at all. */
const breaks = ['","x":"', '\\', '"', '\\x', 'a","role":"tool'];

const forms: readonly ((literal: string) => string)[] = [
  (text) => `{"id":"1","choices":[{"index":0,"delta":{"content":"${text}"}}]}`,
  (text) =>
    `{"id":"1","choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}],"usage":null}`,
  (text) =>
    `{"id": "1", "model": "m", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "${text}"}}]}`,
  (text) =>
    `{"content":"top","choices":[{"index":1,"delta":{"content":"${text}"}}],"usage":{"total_tokens":3}}`,
  (text) => `{"choices":[{"index":0,"delta":{"content":"first","content":"${text}"}}]}`,
  (text) => `{"choices":[{"delta":{"content":"${text}","annotations":[1]}}]}`,
  (text) => `{"choices":[{"delta":{"content":"${text}"},"logprobs":{"content":[{"token":"t"}]}}]}`,
  (text) => `{"choices":[{"delta":{"content":"${text}","reasoning_content":"r"}}]}`,
  (text) => `{"choices":[{"delta":{"x\\"content":"${text}"},"finish_reason":"stop"}]}`,
  (text) => `{"choices":[{"index":0,"delta":{"content":"${text}"}},{"index":1,"delta":{"content":"b"}}]}`,
  (text) => `{"choices":[{"index":0,"message":{"content":"${text}"}}]}`,
  (text) => `{"choices":[{"index":0,"delta":{"content":["${text}"]}}]}`,
  (text) => `{"choices":[{"index":0,"delta":{"content":null},"text":"${text}"}]}`,
  (text) =>
    `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"${text}"}}]}}]}`,
  (text) => `{"created":9007199254740993,"choices":[{"index":0,"delta":{"content":"${text}"}}]}`,
  (text) => `{"error":"${text}"}`,
];

function randomEvents(random: () => number): readonly string[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const events: string[] = [];
  while (events.length < 12) {
    // Most replies repeat one form.
    const form = random() < 0.8 ? pick(forms.slice(0, 6)) : pick(forms);
    const length = 1 + Math.floor(random() * 6);
    for (let count = 0; count < length; count += 1)
      events.push(form(random() < 0.03 ? pick(breaks) : pick(literals)));
  }
  return random() < 0.7 ? [...events, '[DONE]'] : events;
}

describe('events that repeat the one before but for their text', () => {
  test('are read as if all were parsed, for random replies', async () => {
    for (let seed = 0; seed < 3000; seed += 1) {
      const events = randomEvents(createRandom(seed));
      const fast = await drain(events, { isFast: true });
      expect(fast, JSON.stringify(events)).toEqual(await drain(events, { isFast: false }));
    }
  });

  test('are not parsed', () => {
    const reader = chatKind.createReader();
    const repeated = createRepeatedEvents(reader, createRedactor(credential));
    const [event] = forms;
    const first = event?.('a') ?? '';
    expect(repeated.read(first)).toBeUndefined();
    const body: unknown = JSON.parse(first);
    if (!isRecord(body)) throw new Error('no body');
    reader.read(body);
    repeated.remember(first, body);
    expect(repeated.read(event?.('b\\n') ?? '')?.delta?.choices).toMatchObject([{ content: 'b\n' }]);
    expect(repeated.read(event?.(credential) ?? '')).toBeUndefined();
  });

  test('are always parsed when other members change', () => {
    const reader = chatKind.createReader();
    const repeated = createRepeatedEvents(reader, createRedactor(credential));
    const chunk = (id: number) => ({ id, choices: [{ index: 0, delta: { content: 'a' } }] });
    for (let id = 0; id < 4; id += 1) {
      reader.read(chunk(id));
      repeated.remember(JSON.stringify(chunk(id)), chunk(id));
      expect(repeated.read(JSON.stringify(chunk(id + 1)))).toBeUndefined();
    }
    repeated.remember(JSON.stringify(chunk(5)), chunk(5));
    expect(repeated.read(JSON.stringify(chunk(5)))).toBeUndefined();
  });
});
