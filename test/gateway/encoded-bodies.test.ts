import { once } from 'node:events';
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, nextEvent, refused, streamChat, toEnd } from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { words } from '../support/scripted-gateway.ts';

const text = 'A fox and two more. '.repeat(20);
const completion = Buffer.from(
  JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: text } }] }),
);
const stream = Buffer.from(
  [...words(text.slice(0, 100), text.slice(100)).map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join(''),
);
const mebibyte = 1024 * 1024;
const longEvent = Buffer.from(`data: "${'x'.repeat(17 * mebibyte)}"\n\n`);
const eventStream = 'text/event-stream';
const json = 'application/json';

interface EncodedReply {
  readonly status?: number;
  readonly type: string;
  readonly encoding: string;
  readonly body: Buffer;
}

/** Starts the program with a gateway that always sends this reply. */
async function startEncoded({ status = 200, type, encoding, body }: EncodedReply) {
  const gateway = await startFakeGateway((_request, response) => {
    response.writeHead(status, { 'content-type': type, 'content-encoding': encoding }).end(body);
  });
  return startApp({ gatewayUrl: gateway.url });
}

const encoders: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['zstd', zstdCompressSync],
  ['identity', (body) => body],
];

describe.each(encoders)('a reply with the content encoding %s', (encoding, encode) => {
  test('is decoded if it is a document', async () => {
    await using app = await startEncoded({ type: json, encoding, body: encode(completion) });
    const created = await createChatCompletion(app, { input: ask('Hello') });
    expect(created).toMatchObject({ output: { choices: [{ message: { content: text } }] } });
  });

  test.each([eventStream, 'application/octet-stream'])(
    'is decoded if it is a stream named %s',
    async (type) => {
      await using app = await startEncoded({ type, encoding, body: encode(stream) });
      const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
      expect(events.at(-1)?.__typename).toBe('ChatCompleted');
      expect(foldedText(events)).toBe(text);
    },
  );

  test('is decoded if it is an error', async () => {
    const body = encode(Buffer.from('{"error":{"message":"no such model"}}'));
    await using app = await startEncoded({ status: 404, type: json, encoding, body });
    expect(refused(await createChatCompletion(app, { input: ask('Hello') }))).toMatchObject({
      message: 'no such model',
      httpStatus: 404,
    });
  });
});

/** One of each decoder. */
const decoders = encoders.filter(([encoding]) => !/^(x-gzip|GZIP)$/.test(encoding));

describe.each(decoders)('a reply with the content encoding %s that is too large', (encoding, encode) => {
  test.each(encoding === 'gzip' ? [eventStream, 'application/octet-stream'] : [eventStream])(
    'fails and disconnects if it is a stream named %s with an event that is too long',
    async (type) => {
      const closed = Promise.withResolvers<unknown>();
      const gateway = await startFakeGateway((_request, response) => {
        closed.resolve(once(response, 'close'));
        // Does not end, so that only the reader can close the connection.
        response
          .writeHead(200, { 'content-type': type, 'content-encoding': encoding })
          .write(encode(longEvent));
      });
      await using app = await startApp({ gatewayUrl: gateway.url });
      const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
      expect(events.at(-1)).toMatchObject({
        error: {
          code: 'GATEWAY_ERROR',
          message: "The gateway's stream could not be read: one event has more than 16777216 characters.",
        },
        generation: { status: 'FAILED' },
      });
      await closed.promise;
    },
  );
});

/** The limit of a document counts what the decoders return: one of them and none. */
test.each(encoders.filter(([encoding]) => ['gzip', 'identity'].includes(encoding)))(
  'a document with the content encoding %s that is too large has an unknown outcome',
  async (encoding, encode) => {
    const spaces = encode(Buffer.alloc(mebibyte, ' '));
    const body = Buffer.concat([encode(Buffer.from('{')), ...Array.from({ length: 65 }, () => spaces)]);
    await using app = await startEncoded({ type: json, encoding, body });
    expect(refused(await createChatCompletion(app, { input: ask('Hello') }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringContaining('larger than 67108864 bytes'),
    });
  },
);

test('an encoded stream arrives event by event', async () => {
  const gateway = await startFakeGateway((_request, response) => {
    response.writeHead(200, { 'content-type': eventStream, 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write('data: {"choices":[{"delta":{"content":"A"}}]}\n\n');
    // Sends what is compressed so far, and never ends.
    gzip.flush(constants.Z_SYNC_FLUSH);
  });
  await using app = await startApp({ gatewayUrl: gateway.url, env: { SHUTDOWN_SECONDS: '0.05' } });
  const events = streamChat(app.wsClient(), { input: ask('Hello') });
  let event = await nextEvent(events);
  if (event.__typename === 'ChatSnapshot') event = await nextEvent(events);
  expect(event).toMatchObject({ __typename: 'ChatDelta', choices: [{ content: 'A' }] });
});

describe('a reply whose encoding', () => {
  const encoding = 'compress';

  test('is unsupported is refused by name', async () => {
    await using app = await startEncoded({ type: json, encoding, body: completion });
    expect(refused(await createChatCompletion(app, { input: ask('Hello') }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringContaining('unsupported content encoding "compress"'),
    });
    const { errors } = await app.run('{ voices { edges { cursor } } }');
    expect(errors?.[0]?.message).toContain('unsupported content encoding "compress"');
  });

  test('is unsupported in a stream fails that stream by name', async () => {
    await using app = await startEncoded({ type: eventStream, encoding, body: stream });
    const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    expect(events.at(-1)).toMatchObject({
      error: {
        code: 'GATEWAY_ERROR',
        message: 'The gateway\'s stream could not be read: unsupported content encoding "compress".',
      },
    });
  });

  test('is not the named one is refused by name', async () => {
    await using app = await startEncoded({ type: eventStream, encoding: 'gzip', body: stream });
    const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    expect(events.at(-1)).toMatchObject({
      error: { message: "The gateway's stream could not be read: invalid gzip data." },
    });
  });

  test('ends too early is a cut', async () => {
    const whole = gzipSync(stream);
    const body = whole.subarray(0, whole.length / 2);
    await using app = await startEncoded({ type: eventStream, encoding: 'gzip', body });
    const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    expect(events.at(-1)).toMatchObject({ error: { code: 'STREAM_CUT' } });
  });
});
