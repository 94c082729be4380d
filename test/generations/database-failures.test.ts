import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { sendRequest } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/postgres.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const named = (key: string) => ({ input: ask(key), idempotencyKey: key });

test('a create whose connection to the database breaks at any of its replies is sent once at most', async () => {
  const gateway = await startFakeGateway((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content: 'Hi!' } }] }));
  });
  let replies = Number.NEGATIVE_INFINITY;
  const url = await createDatabase();
  const proxy = await startTcpProxy(url, {
    shouldCut() {
      replies -= 1;
      return replies === 0;
    },
  });
  await using app = await startApp({
    gatewayUrl: gateway.url,
    env: { DATABASE_URL: proxy.url, DATABASE_LISTEN_URL: url },
  });
  const stages: Record<string, number> = {};
  for (let reply = 1, isCut = true; isCut; reply += 1) {
    const before = gateway.requests.length;
    replies = reply;
    const first = await createChatCompletion(app, named(`key-${reply}`)).then(
      (result) => result?.__typename,
      () => 'unavailable',
    );
    isCut = replies <= 0;
    replies = Number.NEGATIVE_INFINITY;
    const stage = `${first}${gateway.requests.length > before ? '' : ' and not sent'}`;
    // A settlement that failed is repeated in the background.
    const repeat = () => createChatCompletion(app, named(`key-${reply}`)).then(made, () => undefined);
    await expect.poll(repeat, { timeout: 10_000 }).toMatchObject({ status: 'SUCCEEDED' });
    expect(gateway.requests.length - before, `reply ${reply}`).toBe(1);
    stages[stage] = (stages[stage] ?? 0) + 1;
  }
  // The connection broke before the request was sent, after it was sent, and not at all.
  expect(Object.keys(stages).toSorted()).toEqual(['Generation', 'unavailable', 'unavailable and not sent']);
});

test('while the database is gone, chats continue for their watchers and creates send nothing; then all recovers', async () => {
  const gateway = await startScriptedGateway();
  let isGone = false;
  const proxy = await startTcpProxy(await createDatabase(), { shouldCut: () => isGone });
  const clock = createManualClock();
  await using app = await startApp({
    gatewayUrl: gateway.url,
    env: { DATABASE_URL: proxy.url },
    overrides: { clock },
  });
  const ready = async (): Promise<number> => {
    clock.advance(3000);
    return (await sendRequest(`${app.app.url}/health/ready`)).status;
  };
  const events = streamChat(app.wsClient(), named('running'));
  const first = nextEvent(events);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const snapshot = await first;
  const id = snapshot.generationId ?? '';
  expect(await ready()).toBe(200);
  isGone = true;
  proxy.cut();
  expect(await ready()).toBe(503);
  const { errors } = await app.run(
    'mutation { startChat(input: { model: "m", messages: [{ role: USER, content: { text: "x" } }] }) { __typename } }',
  );
  expect(errors).toMatchObject([{ extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'SAME_KEY' } }]);
  exchange.send(...words('a', 'b'), '[DONE]');
  const seen = await toEnd(events);
  expect(foldedText([snapshot, ...seen])).toBe('ab');
  expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
  expect(gateway.requests).toHaveLength(1);

  isGone = false;
  expect(await ready()).toBe(200);
  await expect
    .poll(async () => {
      clock.advance(15_000);
      return (await findGeneration(app, id))?.status;
    })
    .toBe('SUCCEEDED');
  expect(foldedText(await toEnd(chatEvents(app.wsClient(), { id })))).toBe('ab');
  const starting = startChat(app, named('next'));
  (await gateway.exchange(1)).send(...words('c'), '[DONE]');
  made(await starting);
});
