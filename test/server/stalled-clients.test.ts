import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ask, chatStream, made, startChat, toEnd } from '../support/chats.ts';
import { postJson } from '../support/http.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

test('a client of server-sent events that takes nothing is let go, and one that reads stays', async () => {
  await using scripted = await startScripted({ env: { WEBSOCKET_PING_SECONDS: '0.05' } });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello') });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  const query = `subscription { chatStream(id: "${id}") { sequence soFar { choices { message { content } } } } }`;
  const body = JSON.stringify({ query });
  const { port, hostname } = new URL(app.url);
  const stuck = connect(Number(port), hostname);
  stuck.on('error', () => {});
  stuck.pause();
  stuck.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-sandbox\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const reading = toEnd(chatStream(app.sseClient(), { id }));
  const { activity } = app.app;
  // Each turn gives the server time; the runner's own limit ends what does not come.
  const turn = () => postJson(app.url, { query: '{ __typename }' });
  while (activity.watchers < 2) await turn();
  while (activity.watchers === 2) {
    exchange.send(...words('x'.repeat(100_000)));
    await turn();
  }
  expect(activity.watchers).toBe(1);
  exchange.send('[DONE]');
  expect((await reading).at(-1)?.__typename).toBe('ChatCompleted');
  stuck.destroy();
});
