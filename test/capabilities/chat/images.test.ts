import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { ask, createChatCompletion, made, startChat } from '../../support/chats.ts';
import {
  type ChatEventWithParts as Event,
  foldParts,
  type MessagePart as Part,
  readRecord,
  type RecordWithParts as Recorded,
  watch,
} from '../../support/chat-parts.ts';
import { startInstances } from '../../support/instances.ts';
import { chunk, type Exchange, startScripted } from '../../support/scripted-gateway.ts';

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.alloc(900, 7),
]);
const inline = `data:image/png;base64,${png.toString('base64')}`;
const address = 'https://cdn.example/fox.webp';
const hashed = `data:image/png;base64: ${png.length} bytes, sha256 ${createHash('sha256').update(png).digest('hex')}`;
const image = (url: string): object => ({ type: 'image_url', image_url: { url } });

/** What the gateway sends in `delta` or `message`, the parts that it means, and the message of `raw`. */
const shapes: readonly [string, readonly object[], readonly Part[], object][] = [
  [
    '`images` beside text',
    [{ content: 'Look: ' }, { content: '', images: [image(inline)] }, { content: 'nice?' }],
    [{ text: 'Look: ' }, { url: inline }, { text: 'nice?' }],
    { content: 'Look: nice?', images: [image(hashed)] },
  ],
  [
    '`images` in one delta with text and in another without',
    [{ content: 'One', images: [image(address)] }, { images: [image(inline), address] }],
    [{ text: 'One' }, { url: address }, { url: inline }, { url: address }],
    { content: 'One', images: [image(address), image(hashed), address] },
  ],
  [
    'parts of `content`',
    [
      { content: [{ type: 'text', text: 'a' }, image(address), { type: 'text', text: 'b' }] },
      { content: 'c' },
      { content: [image(inline)] },
    ],
    [{ text: 'a' }, { url: address }, { text: 'bc' }, { url: inline }],
    { content: [{ type: 'text', text: 'a' }, image(address), { type: 'text', text: 'bc' }, image(hashed)] },
  ],
  [
    'inline data in the form of native content',
    [{ content: [{ inline_data: { mime_type: 'image/png', data: png.toString('base64') } }] }],
    [{ url: inline }],
    {},
  ],
  [
    'inline data in camel case',
    [{ content: [{ type: 'image', inlineData: { mimeType: 'image/png', data: png.toString('base64') } }] }],
    [{ url: inline }],
    {},
  ],
  [
    'a source with its media type',
    [
      {
        content: [
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') },
          },
        ],
      },
    ],
    [{ url: inline }],
    {},
  ],
  ['an image as text', [{ images: [{ type: 'image_url', image_url: address }] }], [{ url: address }], {}],
  ['base64 without a type', [{ images: [{ b64_json: png.toString('base64') }] }], [{ url: inline }], {}],
  [
    'half a character before it',
    [{ content: 'a\ud83d', images: [image(address)] }, { content: '\ude00b' }],
    [{ text: 'a' }, { url: address }, { text: '😀b' }],
    {},
  ],
];

const input = ask('Draw a fox.');

async function playFirst(
  app: TestApp,
  exchange: Promise<Exchange>,
): Promise<{ id: string; exchange: Exchange }> {
  const starting = startChat(app, { input });
  const opened = await exchange;
  opened.accept();
  return { id: made(await starting).id, exchange: opened };
}

describe('images of a reply', () => {
  test.each(shapes)('%s become parts and files, streamed', async (_name, deltas, parts, raw) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const { id, exchange } = await playFirst(app, gateway.exchange(0));
    const seen: Event[] = [];
    const live = watch(app.wsClient(), id);
    seen.push((await live.next()).value);
    for (const delta of deltas) {
      exchange.send(chunk(delta));
      seen.push((await live.next()).value);
    }
    const resumed = await Promise.all(
      deltas.map(async (_delta, after) => (await watch(app.wsClient(), id, after).next()).value as Event),
    );
    exchange.send(chunk({}, 'stop'), '[DONE]');
    for await (const event of live) seen.push(event);
    expect(foldParts(seen).parts).toEqual(parts);
    for (const [after, event] of resumed.entries()) {
      const known = seen[after];
      if (!known) throw new Error('no event');
      const start = { ...known, __typename: 'ChatSnapshot', choices: [] };
      expect(event).toMatchObject({ __typename: 'ChatDelta', fromSequence: after + 1 });
      expect(foldParts([start, event]).parts).toEqual(parts);
    }
    const end = seen.at(-1);
    const recorded = await readRecord(app, id);
    expect(end?.ended).toEqual(recorded);
    expect(recorded.output.choices[0]?.message.parts).toEqual(parts);
    expect(recorded.raw.choices[0]?.message).toMatchObject(raw);
    expect(recorded.assets).toEqual(parts.flatMap(toAssets));
    const overHttp: Event[] = [];
    for await (const event of watch(app.sseClient(), id)) overHttp.push(event);
    expect(overHttp.at(-1)).toEqual(end);
  });

  test.each(shapes)('%s become parts and files, as a whole', async (_name, deltas, parts) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const choices = deltas.map((message, index) => ({ index, message }));
    const creating = createChatCompletion(app, { input });
    (await gateway.exchange(0)).reply(200, { choices });
    const recorded = await readRecord(app, made(await creating).id);
    const all = recorded.output.choices.flatMap(({ message }) => message.parts ?? []);
    expect(all.filter(({ url }) => url !== undefined)).toEqual(parts.filter(({ url }) => url !== undefined));
    expect(recorded.assets).toEqual(parts.flatMap(toAssets));
  });

  test('plain text has no parts', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const { id, exchange } = await playFirst(app, gateway.exchange(0));
    exchange.send(chunk({ content: 'a' }), chunk({ content: [{ type: 'text', text: 'b' }] }), '[DONE]');
    const events: Event[] = [];
    for await (const event of watch(app.wsClient(), id)) events.push(event);
    expect(foldParts(events)).toEqual({ content: 'ab', parts: null });
    expect(await readRecord(app, id)).toMatchObject({
      assets: [],
      raw: { choices: [{ message: { content: 'ab' } }] },
    });
  });

  test('arrive on another server', async () => {
    const { first, second, gateway } = await startInstances(2);
    const { id, exchange } = await playFirst(first, gateway.exchange(0));
    exchange.send(chunk({ content: 'Look: ' }));
    const there = watch(second.wsClient(), id);
    const seen: Event[] = [(await there.next()).value];
    exchange.send(chunk({ images: [image(inline)] }));
    seen.push((await there.next()).value);
    exchange.send(chunk({ content: 'nice?' }), '[DONE]');
    for await (const event of there) seen.push(event);
    expect(seen.some(({ __typename }) => __typename === 'ChatDelta')).toBe(true);
    expect(foldParts(seen).parts).toEqual([{ text: 'Look: ' }, { url: inline }, { text: 'nice?' }]);
    expect((await readRecord(second, id)).assets).toHaveLength(1);
  });
});

test('the sandbox paints an image for a chat that asks for one, streamed and whole', async () => {
  await using app = await startApp();
  const painting = { ...input, extraBody: { google: { response_modalities: ['TEXT', 'IMAGE'] } } };
  const { id } = made(await startChat(app, { input: painting }));
  const events: Event[] = [];
  for await (const event of watch(app.wsClient(), id)) events.push(event);
  const whole = made(await createChatCompletion(app, { input: painting }));
  const recorded = await Promise.all([readRecord(app, id), readRecord(app, whole.id)]);
  for (const { assets, output } of recorded) {
    expect(assets).toMatchObject([{ kind: 'IMAGE', contentType: 'image/png', url: null }]);
    expect(assets[0]?.base64).toMatch(/^iVBORw0KGgo/);
    expect(output.choices[0]?.message.parts).toMatchObject([
      { text: expect.any(String) },
      { url: expect.any(String) },
    ]);
  }
  expect(recorded[0].assets).toEqual(recorded[1].assets);
  expect(foldParts(events).parts).toEqual(recorded[0].output.choices[0]?.message.parts);
});

function toAssets({ url }: Part): Recorded['assets'] {
  if (url === undefined) return [];
  return url === inline
    ? [{ kind: 'IMAGE', url: null, contentType: 'image/png', base64: png.toString('base64') }]
    : [{ kind: 'IMAGE', url, contentType: 'image/webp', base64: null }];
}

describe('members without a field', () => {
  const signature = { google: { thought_signature: 'c2lnbmF0dXJl'.repeat(100) } };
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };

  test('extra content of a tool call arrives once and is sent back', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const { id, exchange } = await playFirst(app, gateway.exchange(0));
    const events: Event[] = [];
    const live = watch(app.wsClient(), id);
    events.push((await live.next()).value);
    exchange.send(chunk({ tool_calls: [{ ...call, extra_content: signature, tier: 'x' }] }));
    exchange.send(chunk({ tool_calls: [{ ...call, extra_content: signature, function: { strict: true } }] }));
    exchange.send(chunk({}, 'tool_calls'), '[DONE]');
    for await (const event of live) events.push(event);
    const sent = events.flatMap(({ choices = [] }) => choices.flatMap(({ toolCalls }) => toolCalls ?? []));
    expect(sent.filter(({ extraContent }) => extraContent !== null)).toEqual([
      { index: 0, extraContent: signature },
    ]);
    const recorded = await readRecord(app, id);
    expect(recorded.output.choices[0]?.message.toolCalls).toEqual([{ index: 0, extraContent: signature }]);
    expect(recorded.raw.choices[0]?.message['tool_calls']).toMatchObject([
      { id: 'a', type: 'function', tier: 'x', function: { name: 'f', arguments: '{}', strict: true } },
    ]);
    const messages = [
      {
        role: 'ASSISTANT' as const,
        toolCalls: [{ id: 'a', function: { name: 'f', arguments: '{}' }, extraContent: signature }],
      },
      { role: 'TOOL' as const, toolCallId: 'a', content: { text: 'done' } },
    ];
    const next = createChatCompletion(app, { input: { ...input, messages } });
    const second = await gateway.exchange(1);
    expect(JSON.parse(second.text)).toMatchObject({
      messages: [{ tool_calls: [{ id: 'a', extra_content: signature }] }, {}],
    });
    second.reply(200, { choices: [{ message: { content: 'ok' } }] });
    expect(made(await next).status).toBe('SUCCEEDED');
  });

  test('extra content must be an object', async () => {
    await using scripted = await startScripted();
    const messages = [
      {
        role: 'ASSISTANT' as const,
        toolCalls: [{ id: 'a', function: { name: 'f', arguments: '{}' }, extraContent: 5 }],
      },
    ];
    expect(await createChatCompletion(scripted.app, { input: { ...input, messages } })).toMatchObject({
      code: 'INVALID_INPUT',
      issues: [{ path: ['input', 'messages', '0', 'toolCalls', '0', 'extraContent'] }],
    });
  });

  test('of deltas survive in `raw`: lists are joined, objects merged, other values replaced', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const { id, exchange } = await playFirst(app, gateway.exchange(0));
    const audio = { type: 'audio', data: 'x' };
    const token = (text: string) => ({ logprobs: { content: [{ token: text }], refusal: null } });
    const withProbabilities = (content: string) => ({
      choices: [{ index: 0, delta: { content }, ...token(content) }],
    });
    exchange.send(withProbabilities('a'), withProbabilities('b'));
    exchange.send(chunk({ content: [audio], reasoning_details: [{ a: 1 }], mood: 'calm' }));
    exchange.send(chunk({ reasoning_details: [{ b: 2 }], mood: 'glad' }), '[DONE]');
    for await (const event of watch(app.wsClient(), id)) expect(event.generationId).toBe(id);
    expect((await readRecord(app, id)).raw.choices).toEqual([
      {
        index: 0,
        message: {
          content: [{ type: 'text', text: 'ab' }, audio],
          reasoning_details: [{ a: 1 }, { b: 2 }],
          mood: 'glad',
        },
        logprobs: { content: [{ token: 'a' }, { token: 'b' }], refusal: null },
        finish_reason: null,
      },
    ]);
  });
});
