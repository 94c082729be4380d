import { setTimeout } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ask, type ChatEvent, streamChat } from '../support/chats.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createRandom } from '../support/random.ts';
import { createRecords } from '../support/records.ts';
import { words } from '../support/scripted-gateway.ts';
import { firstSeed } from '../support/seeds.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** `npm run test:long` sets a higher count. */
const minCuts = Number(process.env['CUTS'] ?? 50);
const chats = 8;

/** Streams words to every request until `stop` is called. */
async function startEndlessGateway() {
  const open = new Map<ServerResponse, string[]>();
  const texts: string[] = [];
  let isStopped = false;
  const gateway = await startFakeGateway((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    open.set(response, []);
    void (async () => {
      for (let count = 0; !isStopped; count += 1) {
        const word = ` ${count}\u{1f600}`;
        open.get(response)?.push(word);
        response.write(`data: ${JSON.stringify(words(word)[0])}\n\n`);
        await setTimeout(5);
      }
      response.end('data: [DONE]\n\n');
      texts.push((open.get(response) ?? []).join(''));
    })();
  });
  return {
    ...gateway,
    texts,
    stop() {
      isStopped = true;
    },
  };
}

test(
  'stock clients behind a balancer get every text whole, although each reconnect reaches another process',
  { timeout: 60_000 + minCuts * 300 },
  async ({ annotate }) => {
    const gateway = await startEndlessGateway();
    const { env } = await createRecords('PostgreSQL');
    const start = () => startDurableServer({ gatewayUrl: gateway.url, env });
    const first = await start();
    const servers = [first, await start(), await start()];
    const proxy = await startTcpProxy(servers.map(({ url }) => url));
    const random = createRandom(firstSeed);
    const watched = Array.from({ length: chats }, async (_, index) => {
      const client = first.wsClient({
        url: proxy.url.replace('http', 'ws'),
        retryAttempts: Number.POSITIVE_INFINITY,
        retryWait: () => setTimeout(10),
        shouldRetry: () => true,
      });
      const seen: ChatEvent[] = [];
      for await (const event of streamChat(client, {
        input: ask(`Chat ${index}`),
        idempotencyKey: `chat-${index}`,
      }))
        seen.push(event);
      return seen;
    });
    const done = Promise.all(watched);
    let cuts = 0;
    while (cuts < minCuts) {
      await setTimeout(20 + 40 * random());
      if (proxy.cutOne(random())) cuts += 1;
    }
    gateway.stop();
    const all = await done;
    expect(gateway.requests).toHaveLength(chats);
    expect(all.map((events) => events.at(-1)?.__typename)).toEqual(all.map(() => 'ChatCompleted'));
    expect(all.map(foldedText).toSorted()).toEqual(gateway.texts.toSorted());
    expect(all.flat().filter(({ __typename }) => __typename === 'ChatSnapshot').length).toBeGreaterThan(
      chats,
    );
    const length = gateway.texts.reduce((sum, text) => sum + text.length, 0);
    await annotate(
      `${cuts} cuts, ${proxy.connections} connections, ${servers.length} processes; ${chats} chats, ${length} characters in total, ${gateway.requests.length} requests, ${all.flat().length} events`,
    );
  },
);
