import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, streamChat, toEnd } from '../support/chats.ts';
import { replyHead, startRawGateway } from '../support/raw-gateway.ts';

const recorded = Buffer.from(
  [
    ': hello\n\n',
    ...['漢', ' 🦊'].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`),
    'event: x\nid: 1\ndata: {"choices":\ndata: []}\n\n',
    'data: [DONE]\n\n',
  ].join(''),
);
/** Number of bytes after which the end marker has arrived, without its line end. */
const doneAt = recorded.indexOf('[DONE]') + '[DONE]'.length;

const eventStream = { 'content-type': 'text/event-stream' };

interface Framing {
  readonly head: string;
  readonly body: Buffer;
  /** Number of body bytes after which the stream completes. */
  readonly completeAt: number;
  readonly code: string;
}

function inChunks(size: number): Framing {
  const count = Math.ceil(recorded.length / size);
  const chunks = Array.from({ length: count }, (_, index) =>
    recorded.subarray(index * size, (index + 1) * size),
  );
  const encoded = chunks.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  const end = '0\r\n\r\n';
  const body = Buffer.concat([...encoded, Buffer.from(end)]);
  const head = replyHead({ ...eventStream, 'transfer-encoding': 'chunked' });
  // The line of the end marker is enough, without the blank line.
  return { head, body, completeAt: body.length - end.length - 3, code: 'STREAM_CUT' };
}

const framings: Readonly<Record<string, Framing>> = {
  'ends with the connection': {
    head: replyHead({ ...eventStream, connection: 'close' }),
    body: recorded,
    completeAt: doneAt,
    code: 'STREAM_UNFINISHED',
  },
  'has a content length': {
    head: replyHead({ ...eventStream, 'content-length': recorded.length }),
    body: recorded,
    completeAt: recorded.length - 1,
    code: 'STREAM_CUT',
  },
  'has chunks': inChunks(40),
};

describe('a stream that', () => {
  test.each(Object.entries(framings))(
    '%s is cut at every byte with the code of a cut, never as unreadable',
    async (_name, { head, body, completeAt, code }) => {
      const gateway = await startRawGateway((socket, request) => {
        const at = Number(/cut at (\d+)/.exec(request)?.[1]);
        socket.end(Buffer.concat([Buffer.from(head), body.subarray(0, at)]));
      });
      await using app = await startApp({ gatewayUrl: gateway.url });
      const client = app.wsClient();
      const endAt = async (at: number): Promise<string> => {
        const events = await toEnd(streamChat(client, { input: ask(`cut at ${at}`) }));
        const end = events.at(-1);
        return end?.__typename === 'ChatFailed' ? end.error.code : (end?.__typename ?? '');
      };
      const positions = Array.from({ length: body.length + 1 }, (_, at) => at);
      const ends: string[] = [];
      while (ends.length < positions.length)
        ends.push(...(await Promise.all(positions.slice(ends.length, ends.length + 20).map(endAt))));
      expect(ends).toEqual(positions.map((at) => (at >= completeAt ? 'ChatCompleted' : code)));
    },
    60_000,
  );
});

test('a chunk that breaks the protocol is a cut, not a defect', async () => {
  const gateway = await startRawGateway((socket, request) => {
    const isStream = request.includes('"stream":true');
    const event = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n';
    const type = isStream ? eventStream : { 'content-type': 'application/json' };
    const head = replyHead({ ...type, 'transfer-encoding': 'chunked' });
    if (!isStream) socket.write(`${head}2\r\n{"ZZ\r\n`);
    else socket.write(`${head}${event.length.toString(16)}\r\n${event}\r\nZZ\r\n`);
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
  expect(events.at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'STREAM_CUT' } });
  const created = await createChatCompletion(app, { input: ask('Hello') });
  expect(created).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});
