import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  ask,
  type ChatEvent,
  chatEvents,
  createChatCompletion,
  made,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const contentTypes = ['application/octet-stream', 'text/plain; charset=utf-8', 'application/json', undefined];
const completion = {
  id: 'c',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A fox.' }, finish_reason: 'stop' }],
};
const events = `${words('A', ' fox.')
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('')}data: [DONE]\n\n`;

/** The events of a chat whose reply has these parts, in separate writes. */
async function chatOf(
  contentType: string | undefined,
  parts: readonly string[],
): Promise<readonly ChatEvent[]> {
  const gateway = await startFakeGateway(async (_request, response) => {
    response.writeHead(200, contentType === undefined ? {} : { 'content-type': contentType });
    for (const part of parts) await new Promise<void>((resolve) => response.write(part, () => resolve()));
    response.end();
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  return await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
}

describe.each(contentTypes)('a body with the content type %s', (contentType) => {
  test.each([
    ['data', events],
    ['a comment', `: hi\n\n${events}`],
    ['an event name', `event: message\n${events}`],
    ['an id', `id: 7\n${events}`],
    ['a retry', `retry: 100\n${events}`],
    ['blank lines', `\r\n\n\n${events}`],
    ['a byte order mark', `\ufeff${events}`],
  ])('that starts like an event stream, with %s, is one', async (_name, body) => {
    const seen = await chatOf(contentType, [body]);
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
    expect(foldedText(seen)).toBe('A fox.');
  });

  test('is recognized when it arrives byte by byte', async () => {
    const seen = await chatOf(contentType, Array.from(`\ufeff\n${events}`));
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
    expect(foldedText(seen)).toBe('A fox.');
  });

  test.each([
    JSON.stringify(completion),
    JSON.stringify(completion, undefined, 2),
    `\n\n ${JSON.stringify(completion)}`,
    `\ufeff${JSON.stringify(completion)}`,
  ])('that is a JSON document is read as one: %s', async (body) => {
    const seen = await chatOf(contentType, Array.from(body));
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
    expect(foldedText(seen)).toBe('A fox.');
  });

  test.each(['', 'dat', 'data', 'Internal error', '<html></html>'])(
    'that is neither leaves an unknown outcome: %j',
    async (body) => {
      expect((await chatOf(contentType, [body])).at(-1)).toMatchObject({
        error: { code: 'OUTCOME_UNKNOWN' },
      });
    },
  );
});

describe.each(['text/event-stream', ...contentTypes])(
  'an event stream (%s) in place of a document',
  (contentType) => {
    async function complete(body: string) {
      const gateway = await startFakeGateway((_request, response) => {
        response.writeHead(200, contentType === undefined ? {} : { 'content-type': contentType });
        response.end(body);
      });
      await using app = await startApp({ gatewayUrl: gateway.url });
      const created = await createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'k' });
      const again = await createChatCompletion(app, { input: ask('Hello'), idempotencyKey: 'k' });
      expect(again).toEqual(created);
      expect(gateway.requests).toHaveLength(1);
      return made(created);
    }

    test('completes a chat that was not requested as a stream', async () => {
      expect(await complete(events)).toMatchObject({
        status: 'SUCCEEDED',
        output: { choices: [{ message: { content: 'A fox.' } }] },
      });
    });

    test('keeps its text if it has no end marker', async () => {
      expect(await complete(events.replace('data: [DONE]\n\n', ''))).toMatchObject({
        status: 'FAILED',
        error: { code: 'STREAM_UNFINISHED' },
        output: { choices: [{ message: { content: 'A fox.' } }] },
      });
    });
  },
);

describe('a JSON document with the content type of an event stream', () => {
  test.each([
    JSON.stringify(completion),
    `${JSON.stringify(completion)}\n`,
    `\n${JSON.stringify(completion)}\r\n\r\n`,
    JSON.stringify(completion, undefined, 2),
  ])('is a whole reply: %j', async (body) => {
    for (const parts of [[body], Array.from(body)]) {
      const seen = await chatOf('text/event-stream', parts);
      expect(seen.at(-1)).toMatchObject({ __typename: 'ChatCompleted', ended: { raw: completion } });
      expect(foldedText(seen)).toBe('A fox.');
    }
  });

  test.each([undefined, 2])('is the error that it reports, with an indent of %s', async (indent) => {
    const body = JSON.stringify({ error: { message: 'no channel', code: 'c' } }, undefined, indent);
    const seen = await chatOf('text/event-stream', [body]);
    expect(seen.at(-1)).toMatchObject({ error: { message: 'no channel', upstreamCode: 'c' } });
  });

  test('that is cut is unfinished', async () => {
    const body = JSON.stringify(completion, undefined, 2);
    const seen = await chatOf('text/event-stream', [body.slice(0, -10)]);
    expect(seen.at(-1)).toMatchObject({ error: { code: 'STREAM_UNFINISHED' } });
  });

  test('reports an error in its first line while the connection stays open', async () => {
    await using scripted = await startScripted();
    const seen = toEnd(streamChat(scripted.app.wsClient(), { input: ask('Hello') }));
    const exchange = await scripted.gateway.exchange(0);
    exchange.write('{"error":{"message":"no channel"}}\n');
    expect((await seen).at(-1)).toMatchObject({ error: { message: 'no channel' } });
  });
});

test('an event stream is accepted before its first byte', async () => {
  await using scripted = await startScripted();
  const started = startChat(scripted.app, { input: ask('Hello') });
  (await scripted.gateway.exchange(0)).accept();
  expect(await started).toMatchObject({ status: 'RUNNING' });
});

test('an image stream without its content type is read as one', async () => {
  const gateway = await startFakeGateway((_request, response) => {
    const image = { type: 'image_generation.partial_succeeded', image_index: 0, url: 'https://x.test/1.png' };
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.end(
      `event: ${image.type}\ndata: ${JSON.stringify(image)}\n\ndata: {"type":"image_generation.completed"}\n\n`,
    );
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const seen: unknown[] = [];
  const query = `subscription { streamImages(input: {model: "seedream-4", prompt: "p"}, idempotencyKey: "k") {
    __typename soFar { images { url } } ... on ImageFailed { error { message } } } }`;
  for await (const { data } of app.wsClient().iterate<{ streamImages: unknown }>({ query }))
    seen.push(data?.streamImages);
  expect(seen.at(-1)).toMatchObject({
    __typename: 'ImageCompleted',
    soFar: { images: [{ url: 'https://x.test/1.png' }] },
  });
});

test('a stream under another content type whose first byte is late delays neither the answer nor the stream', async () => {
  const { promise: isReady, resolve: sendRest } = Promise.withResolvers<void>();
  const gateway = await startFakeGateway(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).flushHeaders();
    await isReady;
    response.end(events);
  });
  await using app = await startApp({ gatewayUrl: gateway.url, env: { CHAT_ACCEPT_SECONDS: '0.05' } });
  const started = made(await startChat(app, { input: ask('Hello') }));
  expect(started.status).toBe('RUNNING');
  const following = toEnd(chatEvents(app.wsClient(), { id: started.id }));
  sendRest();
  const seen = await following;
  expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
  expect(foldedText(seen)).toBe('A fox.');
});
