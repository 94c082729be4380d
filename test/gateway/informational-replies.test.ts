import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, refused, streamChat, toEnd } from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { replyHead, startRawGateway } from '../support/raw-gateway.ts';

const completion = JSON.stringify({ choices: [{ index: 0, message: { content: 'A fox.' } }] });
const head = replyHead({ 'content-type': 'application/json', 'content-length': completion.length });
const informational = {
  '100 Continue': replyHead({}, '100 Continue'),
  '102 Processing': replyHead({}, '102 Processing'),
  '103 Early Hints': replyHead({ link: '</a>; rel=preload' }, '103 Early Hints'),
};

test.each(Object.entries(informational))('%s is not the outcome of a create', async (_name, early) => {
  for (const parts of [
    [early + head + completion],
    [early, head + completion],
    [early + early, head, completion],
    Array.from(early + head + completion),
  ]) {
    const gateway = await startRawGateway(async (socket) => {
      for (const part of parts) await new Promise<void>((resolve) => socket.write(part, () => resolve()));
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    for (let round = 1; round <= 2; round += 1) {
      const created = await createChatCompletion(app, { input: ask('Hello') });
      expect(created).toMatchObject({ output: { choices: [{ message: { content: 'A fox.' } }] } });
      expect(gateway.requestCount()).toBe(round);
    }
  }
});

test('the head of an informational reply has any size', async () => {
  const hints = replyHead({ link: 'x'.repeat(100_000) }, '103 Early Hints');
  const gateway = await startRawGateway((socket) => void socket.write(hints + hints + head + completion));
  await using app = await startApp({ gatewayUrl: gateway.url });
  const created = await createChatCompletion(app, { input: ask('Hello') });
  expect(created).toMatchObject({ output: { choices: [{ message: { content: 'A fox.' } }] } });
});

test.each(Object.values(informational))('a reply that consists of %j alone ends in time', async (early) => {
  const gateway = await startRawGateway((socket) => {
    const repeat = (): void => void (socket.writable && socket.write(early, () => setImmediate(repeat)));
    repeat();
  });
  await using app = await startApp({ gatewayUrl: gateway.url, env: { GATEWAY_TIMEOUT_SECONDS: '0.2' } });
  expect(refused(await createChatCompletion(app, { input: ask('Hello') }))).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    message: expect.stringContaining('Headers Timeout'),
  });
});

test('a change of the protocol is no reply', async () => {
  for (const headers of [{}, { upgrade: 'websocket', connection: 'upgrade' }]) {
    const gateway = await startRawGateway(
      (socket) => void socket.write(replyHead(headers, '101 Switching Protocols') + head + completion),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect(refused(await createChatCompletion(app, { input: ask('Hello') }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    expect(gateway.requestCount()).toBe(1);
  }
});

test('text like an informational reply within a body stays as it is', async () => {
  const text = 'HTTP/1.1 100 Continue\r\n\r\n';
  const event = `data: ${JSON.stringify({ choices: [{ delta: { content: 'a' } }] })}\n\n`;
  const body = [`: a\n\n`, `${text}${event}`, 'data: [DONE]\n\n'];
  const gateway = await startRawGateway(async (socket) => {
    socket.setNoDelay(true);
    for (const part of [replyHead({ 'content-type': 'text/event-stream', connection: 'close' }), ...body])
      await new Promise<void>((resolve) => socket.write(part, () => setImmediate(resolve)));
    socket.end();
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
  expect(foldedText(events)).toBe('a');
});
