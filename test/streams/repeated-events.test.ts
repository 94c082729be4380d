import { describe, expect, test } from 'vitest';
import { chatKind } from '../../src/capabilities/chat/chat-kind.ts';
import type { ChatDelta, ChatState } from '../../src/capabilities/chat/completion.ts';
import { createEventReader } from '../../src/gateway/event-stream.ts';
import type { HttpReply } from '../../src/gateway/http-client.ts';
import { Redactor } from '../../src/gateway/redact.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import { isRecord } from '../../src/lib/json.ts';
import { drainReply } from '../../src/streams/drain-reply.ts';
import { createRepeatedEvents } from '../../src/streams/repeated-events.ts';
import type { TextRun } from '../../src/streams/shape.ts';
import type { GenerationStream, ReplyReader, StreamOutcome } from '../../src/streams/streamed-kind.ts';
import { Streams } from '../../src/streams/streams.ts';
import { createRandom } from '../support/random.ts';
import { firstSeed } from '../support/seeds.ts';

const credential = 'sk-Secret42Secret42';

/** Random replies. `npm run test:long` sets a larger number. */
const replies = Number(process.env['REPLIES'] ?? 300);

/** Drains socket reads into a stream and returns all that clients and the record receive. */
async function drain(reads: readonly string[], { isFast }: { readonly isFast: boolean }) {
  const { textOf: _textOf, readTexts: _readTexts, ...parsing } = chatKind.createReader();
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
  const streams = new Streams({ clock: createSystemClock(), logMs: 0 });
  const opened = streams.open<ChatState, ChatDelta, StreamOutcome>(chatKind.shape, 'generation_1');
  // As text, because equality of many long values is slow.
  const appended: string[] = [];
  const { append, appendRun } = opened;
  let runs = 0;
  const note = (delta: ChatDelta): void => {
    const { sequence, state } = opened;
    appended.push(JSON.stringify({ sequence, delta, state }));
  };
  const stream: GenerationStream<ChatState, ChatDelta> = Object.assign(opened, {
    append(deltas: readonly ChatDelta[]) {
      append(deltas);
      if (deltas.length > 0) note(chatKind.shape.merge(deltas));
    },
    appendRun(run: TextRun<ChatDelta>) {
      const isAppended = appendRun(run);
      if (isAppended) note(run.merged);
      if (isAppended) runs += 1;
      return isAppended;
    },
    reader,
    redactor: new Redactor(credential),
    timing: { sentAt: 0 },
  });
  const reply: Pick<HttpReply, 'consume'> = {
    async consume(onData) {
      for (const text of reads) onData(Buffer.from(text));
    },
  };
  const readEvents = createEventReader(reply as HttpReply);
  const outcome = await drainReply({
    streamed: chatKind,
    stream,
    credential,
    isServerKey: false,
    clock: createSystemClock(),
    reply: {
      type: 'events',
      read: (onEvents, onText) => readEvents(onEvents, isFast ? onText : undefined),
      discard() {},
    },
  });
  const { state, sequence, timing } = stream;
  const hasToken = timing.firstTokenAt !== undefined;
  const since = Array.from({ length: sequence + 1 }, (_, after) => JSON.stringify(stream.since(after)));
  streams.close();
  const { usage } = reader;
  return {
    received: { appended, since, state, sequence, outcome, usage, hasToken, raw: reader.toRaw(state) },
    runs,
  };
}

const toRead = (events: readonly string[]): string => events.map((event) => `data: ${event}\n\n`).join('');

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

function randomEvents(random: () => number, maxRepeats = 6): readonly string[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const events: string[] = [];
  while (events.length < 12) {
    // Most replies repeat one form.
    const form = random() < 0.8 ? pick(forms.slice(0, 6)) : pick(forms);
    const length = 1 + Math.floor(random() * maxRepeats);
    for (let count = 0; count < length; count += 1)
      events.push(form(random() < 0.03 ? pick(breaks) : pick(literals)));
  }
  return random() < 0.7 ? [...events, '[DONE]'] : events;
}

/** Cuts a body mostly between events. */
function randomReads(events: readonly string[], random: () => number): readonly string[] {
  const reads: string[] = [];
  for (let place = 0; place < events.length;) {
    const next = place + 1 + Math.floor(random() * 5);
    const text = toRead(events.slice(place, next));
    const cut = random() < 0.1 ? Math.floor(random() * text.length) : 0;
    reads.push(text.slice(0, cut), text.slice(cut));
    place = next;
  }
  return reads;
}

describe('events that repeat the one before but for their text', () => {
  test('are read as if all were parsed, for random reads', { timeout: 600_000 }, async () => {
    let runs = 0;
    for (let seed = firstSeed; seed < firstSeed + replies; seed += 1) {
      const random = createRandom(seed);
      const reads = randomReads(randomEvents(random, 24), random);
      const fast = await drain(reads, { isFast: true });
      runs += fast.runs;
      expect(fast.received, JSON.stringify(reads)).toEqual((await drain(reads, { isFast: false })).received);
    }
    expect(runs).toBeGreaterThan(replies / 2);
  });

  test('of one read are taken at once, also with escapes', async () => {
    const [form] = forms;
    const read = (...texts: readonly string[]) => toRead(texts.map((text) => form?.(text) ?? ''));
    const { received, runs } = await drain(
      [read('a'), read('b', 'c'), read('d', '\\n', ''), read('e'), read('f', credential), toRead(['[DONE]'])],
      { isFast: true },
    );
    expect(runs).toBe(3);
    expect(received.appended.map((event) => JSON.parse(event))).toMatchObject(
      [1, 3, 6, 7, 9].map((sequence) => ({ sequence })),
    );
    expect(received.state.choices).toMatchObject([{ content: 'abcd\nef[credential]' }]);
    expect(JSON.parse(received.since[4] ?? '')).toMatchObject({ choices: [{ content: '\nef[credential]' }] });
  });

  test('are recognized after a read of many', async () => {
    const [form] = forms;
    const read = toRead(Array.from({ length: 20 }, (_, number) => form?.(`a${number}`) ?? ''));
    expect((await drain([read, read, toRead(['[DONE]'])], { isFast: true })).runs).toBe(1);
  });

  test('are divided if their text has another meaning in a stream', async () => {
    const [form] = forms;
    const lines = [form?.('a'), `${form?.('b')}\n`, `\n${form?.('c')}`, `: x\ndata: ${form?.('d')}`];
    const reads = [toRead([lines[0] ?? '']), toRead(lines.map(String)), 'data: [DONE]\n\n'];
    const { received } = await drain(reads, { isFast: true });
    expect(received).toEqual((await drain(reads, { isFast: false })).received);
  });

  test('are not parsed', () => {
    const reader = chatKind.createReader();
    const repeated = createRepeatedEvents(reader, new Redactor(credential));
    const [form] = forms;
    const first = form?.('a') ?? '';
    expect(repeated.read(toRead([first]))).toBeUndefined();
    const body: unknown = JSON.parse(first);
    if (!isRecord(body)) throw new Error('no body');
    reader.read(body);
    repeated.remember(first, body);
    expect(repeated.read(toRead([form?.('b\\n') ?? '']))?.texts).toEqual(['b\n']);
    expect(repeated.read(toRead([form?.(credential) ?? '']))).toBeUndefined();
  });

  test('are always parsed when other members change', () => {
    const reader = chatKind.createReader();
    const repeated = createRepeatedEvents(reader, new Redactor(credential));
    const chunk = (id: number) => ({ id, choices: [{ index: 0, delta: { content: 'a' } }] });
    const read = (id: number) => repeated.read(toRead([JSON.stringify(chunk(id))]));
    for (let id = 0; id < 4; id += 1) {
      reader.read(chunk(id));
      repeated.remember(JSON.stringify(chunk(id)), chunk(id));
      expect(read(id + 1)).toBeUndefined();
    }
    repeated.remember(JSON.stringify(chunk(5)), chunk(5));
    expect(read(5)).toBeUndefined();
  });
});

test('an event as long as one may be is remembered', () => {
  const textOf = (body: Readonly<Record<string, unknown>>) => body['content'] as string;
  const reader = {
    textOf,
    readTexts: (texts: readonly string[]) => ({ texts }) as unknown as TextRun<ChatDelta>,
  };
  const repeated = createRepeatedEvents<ChatState, ChatDelta>(reader, new Redactor(credential));
  const content = `${'a'.repeat(16_000_000)}\\"`;
  const data = JSON.stringify({ content });
  repeated.remember(data, { content });
  expect(repeated.read('data: {"content":"next"}\n\n')).toEqual({ texts: ['next'] });
});
