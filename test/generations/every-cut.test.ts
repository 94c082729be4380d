import { createClient as createSseClient } from 'graphql-sse';
import { expect, test } from 'vitest';
import { sandboxKey, startApp } from '../support/app.ts';
import { ask, type ChatEvent, chatEvents, nextEvent, streamChat } from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { chunk, type Exchange, startScriptedGateway } from '../support/scripted-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const pieces = ['One ', 'fox', ' 🦊', ' and ', '两只', '狐狸', ', then', ' none.'];
const text = pieces.join('');
/** Number of events of the stream: the snapshot, each delta, the end. */
const eventCount = pieces.length + 2;

/** Returns a function that sends the chat's next part. One call per received event keeps deltas from merging. */
function createPlayer(exchange: Exchange): () => void {
  const parts = [...pieces.map((content) => chunk({ content })), '[DONE]'];
  return () => {
    const part = parts.shift();
    if (part !== undefined) exchange.send(part);
  };
}

test('a stock WebSocket client that is disconnected at any event gets the exact text and is charged once', async () => {
  const gateway = await startScriptedGateway();
  await using app = await startApp({ gatewayUrl: gateway.url, env: { SHUTDOWN_SECONDS: '0.05' } });
  const proxy = await startTcpProxy(app.url);
  for (let cutAt = 0; cutAt < eventCount; cutAt += 1) {
    const client = app.wsClient({
      url: proxy.url.replace('http', 'ws'),
      retryAttempts: 5,
      retryWait: () => Promise.resolve(),
    });
    const events = streamChat(client, { input: ask(`cut at ${cutAt}`) });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(cutAt);
    exchange.accept();
    const sendNext = createPlayer(exchange);
    const seen: ChatEvent[] = [await first];
    for (;;) {
      if (seen.length === cutAt + 1) proxy.cut();
      sendNext();
      const { value, done } = await events.next();
      if (done) break;
      seen.push(value);
    }
    expect(seen.at(-1)?.__typename, `cut at event ${cutAt}`).toBe('ChatCompleted');
    expect(foldedText(seen), `cut at event ${cutAt}`).toBe(text);
    expect(gateway.requests, `cut at event ${cutAt}`).toHaveLength(cutAt + 1);
    await client.dispose();
  }
});

test('an SSE client that is disconnected at any event resumes with `after` and misses no event', async () => {
  const gateway = await startScriptedGateway();
  await using app = await startApp({ gatewayUrl: gateway.url, env: { SHUTDOWN_SECONDS: '0.05' } });
  const proxy = await startTcpProxy(app.url);
  // The retries cover pooled connections that the cut also broke.
  const newClient = () =>
    createSseClient({
      url: proxy.url,
      headers: sandboxKey,
      retryAttempts: 5,
      retry: () => Promise.resolve(),
    });
  for (let cutAt = 0; cutAt < eventCount; cutAt += 1) {
    let client = newClient();
    let events = streamChat(client, { input: ask(`cut at ${cutAt}`), idempotencyKey: `cut-${cutAt}` });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(cutAt);
    exchange.accept();
    const sendNext = createPlayer(exchange);
    const seen: ChatEvent[] = [await first];
    for (;;) {
      if (seen.length === cutAt + 1) {
        client.dispose();
        proxy.cut();
        client = newClient();
        const { generationId, sequence } = seen.at(-1) ?? {};
        events = chatEvents(client, { id: generationId ?? '', after: sequence ?? 0 });
      }
      sendNext();
      const { value, done } = await events.next();
      if (done) break;
      seen.push(value);
    }
    const snapshots = seen.filter(({ __typename }) => __typename === 'ChatSnapshot');
    expect(snapshots, `cut at event ${cutAt}`).toHaveLength(1);
    expect(foldedText(seen), `cut at event ${cutAt}`).toBe(text);
    expect(gateway.requests, `cut at event ${cutAt}`).toHaveLength(cutAt + 1);
    client.dispose();
  }
});
