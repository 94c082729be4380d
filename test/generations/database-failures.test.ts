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
import { createInbox } from '../support/inbox.ts';
import { startInstances } from '../support/instances.ts';
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
  const stages = new Set<string>();
  const expected = ['Generation', 'unavailable', 'unavailable and not sent'];
  // A renewal of the lease may get the cut instead: then once more.
  for (let reply = 1, creates = 1; stages.size < expected.length && creates < 200; creates += 1) {
    const before = gateway.requests.length;
    replies = reply;
    const key = named(`key-${creates}`);
    const first = await createChatCompletion(app, key).then(
      (result) => result?.__typename,
      () => 'unavailable',
    );
    reply = replies <= 0 ? reply + 1 : 1;
    replies = Number.NEGATIVE_INFINITY;
    const stage = `${first}${gateway.requests.length > before ? '' : ' and not sent'}`;
    // A settlement that failed is repeated in the background.
    const repeat = () => createChatCompletion(app, key).then(made, () => undefined);
    await expect.poll(repeat).toMatchObject({ status: 'SUCCEEDED' });
    expect(gateway.requests.length - before, `create ${creates}`).toBe(1);
    stages.add(stage);
  }
  // The connection broke before the request was sent, after it was sent, and not at all.
  expect([...stages].toSorted()).toEqual(expected);
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
  expect(errors).toMatchObject([{ extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'LATER' } }]);
  exchange.send(...words('a', 'b'), '[DONE]');
  const seen = [snapshot];
  while (foldedText(seen) !== 'ab') seen.push(await nextEvent(events));
  expect(gateway.requests).toHaveLength(1);

  isGone = false;
  expect(await ready()).toBe(200);
  await expect
    .poll(async () => {
      clock.advance(500);
      return (await findGeneration(app, id))?.status;
    })
    .toBe('SUCCEEDED');
  expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCompleted');
  expect(foldedText(await toEnd(chatEvents(app.wsClient(), { id })))).toBe('ab');
  const starting = startChat(app, named('next'));
  (await gateway.exchange(1)).send(...words('c'), '[DONE]');
  made(await starting);
});

test('a claim that reaches the database after its create has failed leaves the key to other servers', async () => {
  const { first, records, gateway, start } = await startInstances(2);
  const { DATABASE_URL: url = '' } = records.env;
  const replies = createInbox<string>();
  let claims = 0;
  const proxy = await startTcpProxy(url, {
    shouldHold: (request) => request.includes('client:held') && claims++ === 0,
    shouldCut(reply) {
      if (claims > 0) replies.push(reply);
      return false;
    },
  });
  const away = await start({
    env: { DATABASE_URL: proxy.url, DATABASE_LISTEN_URL: url, DATABASE_TIMEOUT_SECONDS: '1' },
  });
  await expect(createChatCompletion(away, named('held'))).rejects.toThrow('RECORDS_UNAVAILABLE');
  // The release of the key.
  await replies.when((all) => all.some((reply) => reply.includes('COMMIT')));
  await proxy.deliverHeld();
  const again = createChatCompletion(first, named('held'));
  (await gateway.exchange(0)).reply(200, { choices: [{ message: { content: 'Hi!' } }] });
  expect(made(await again).status).toBe('SUCCEEDED');
});
