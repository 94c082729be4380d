import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, streamChat, toEnd } from '../support/chats.ts';
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
