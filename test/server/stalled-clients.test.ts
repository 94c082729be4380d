import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ask, made, startChat } from '../support/chats.ts';
import { postJson } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

interface Watched {
  readonly chatEvents: {
    readonly __typename: string;
    readonly choices?: readonly { readonly content: string }[];
    readonly soFar?: { readonly choices: readonly { readonly message: { readonly content: string } }[] };
  };
}

test.each([
  ['server-sent events', 'text/event-stream'],
  ['parts', 'multipart/mixed;subscriptionSpec=1.0'],
])('a stalled client of %s is disconnected, and one that reads stays', async (_what, accept) => {
  const clientClock = createManualClock();
  await using scripted = await startScripted({
    env: { WEBSOCKET_PING_SECONDS: '12' },
    overrides: { clientClock },
  });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello') });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  // The kernel's buffers take up to 9 MB, and a chat ends at 8 MB: this client asks for each text four times.
  const texts = ['a', 'b', 'c', 'd'].map((alias) => `${alias}: choices { content }`);
  const query = `subscription { chatEvents(id: "${id}") { ... on ChatDelta { ${texts.join(' ')} } } }`;
  const body = JSON.stringify({ query });
  const { port, hostname } = new URL(app.url);
  const stuck = connect(Number(port), hostname);
  stuck.on('error', () => {});
  stuck.pause();
  stuck.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-sandbox\r\ncontent-type: application/json\r\naccept: ${accept}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const { activity } = app.app;
  const deltas = `subscription { chatEvents(id: "${id}") { __typename ... on ChatDelta { choices { content } } ... on ChatSnapshot { soFar { choices { message { content } } } } } }`;
  let length = 0;
  const reading = (async () => {
    let last: string | undefined;
    for await (const { data } of app.sseClient().iterate<Watched>({ query: deltas })) {
      const { __typename, choices, soFar } = data?.chatEvents ?? {};
      length += choices?.[0]?.content.length ?? 0;
      // The first event has what was sent before it was taken.
      length += soFar?.choices[0]?.message.content?.length ?? 0;
      last = __typename;
    }
    return last;
  })();
  // Each request gives the server a turn of its event loop.
  const turn = () => postJson(app.url, { query: '{ __typename }' });
  while (activity.watchers < 2) await turn();
  const piece = 'x'.repeat(100_000);
  for (let sent = piece.length; activity.watchers === 2; sent += piece.length) {
    exchange.send(...words(piece));
    while (length < sent) await turn();
    // The reading client has nothing buffered, so only the stalled one approaches its timeout.
    clientClock.advance(6000);
  }
  expect(activity.watchers).toBe(1);
  exchange.send('[DONE]');
  expect(await reading).toBe('ChatCompleted');
  stuck.destroy();
});
