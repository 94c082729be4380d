import { expect, test } from 'vitest';
import { checkIntervalMs } from '../../../src/streams/end-watch.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../../support/chats.ts';
import { sandboxKey } from '../../support/app.ts';
import { foldChat, foldedText } from '../../support/fold-chat.ts';
import { startInstances } from '../../support/instances.ts';
import { withoutTimersOf } from '../../support/clock-without-timers.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { words } from '../../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

test('a chat is followed on another server with the same events', async () => {
  const { first, second, gateway } = await startInstances(2);
  const here = streamChat(first.wsClient(), hello);
  const started = nextEvent(here);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { generationId } = await started;
  const id = generationId ?? '';
  exchange.send(...words('a', 'b'));
  const there = chatEvents(second.wsClient(), { id });
  const snapshot = await nextEvent(there);
  expect(snapshot).toMatchObject({ __typename: 'ChatSnapshot', sequence: 2 });
  exchange.send(...words('c\u0000', '\ud83d'));
  const delta = await nextEvent(there);
  expect(delta).toMatchObject({ __typename: 'ChatDelta', fromSequence: 3 });
  exchange.send(...words('\ude00', 'e'), '[DONE]');
  const events = [snapshot, delta, ...(await toEnd(there))];
  const local = await toEnd(here);
  expect(foldedText(events)).toBe('abc\u0000\u{1f600}e');
  expect(events.at(-1)).toEqual(local.at(-1));
  expect(events.at(-1)).toMatchObject({ __typename: 'ChatCompleted', ended: { id, status: 'SUCCEEDED' } });
  expect(gateway.requests).toHaveLength(1);
});

test('an integer beyond 2^53 in the extra content of a tool call is exact on another server', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  const there = await openRawSocket(second.url);
  await there.init(sandboxKey);
  const calls = 'choices { message { toolCalls { extraContent } } }';
  there.subscribe('events', { query: `subscription { chatEvents(id: "${id}") { soFar { ${calls} } } }` });
  await there.waitForMessage('events');
  const call = '{"index":0,"id":"c","function":{"name":"f"},"extra_content":{"n":9007199254740993}}';
  exchange.write(`data: {"choices":[{"index":0,"delta":{"tool_calls":[${call}]}}]}\n\n`);
  await expect.poll(() => there.texts.at(-1)).toContain('{"n":9007199254740993}');
  there.subscribe('now', {
    query: `{ generation(by: { id: "${id}" }) { output { ... on ChatCompletion { ${calls} } } } }`,
  });
  await there.waitForEnd('now');
  expect(there.texts.at(-2)).toContain('{"n":9007199254740993}');
  exchange.send('[DONE]');
});

test('a watcher on another server that comes before the first token gets it when it comes', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  const there = chatEvents(second.wsClient(), { id });
  expect(await nextEvent(there)).toMatchObject({ __typename: 'ChatSnapshot', sequence: 0 });
  exchange.send(...words('a'));
  expect(await nextEvent(there)).toMatchObject({ __typename: 'ChatDelta', fromSequence: 1, sequence: 1 });
  exchange.send('[DONE]');
  expect((await toEnd(there)).at(-1)).toMatchObject({ __typename: 'ChatCompleted', sequence: 1 });
});

test('a watcher with `after` gets the deltas that it misses, on any server', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a', 'b', 'c', 'd'));
  const { id } = made(await starting);
  await expect.poll(async () => (await findGeneration(first, id))?.output?.sequence).toBe(4);
  for (const after of [0, 1, 3]) {
    const watched = [first, second].map((app) => chatEvents(app.wsClient(), { id, after }));
    const [here, there] = await Promise.all(watched.map(nextEvent));
    for (const events of watched) await events.return?.();
    expect(here).toMatchObject({ __typename: 'ChatDelta', fromSequence: after + 1, sequence: 4 });
    expect(there).toEqual(here);
  }
  const upToDate = chatEvents(second.wsClient(), { id, after: 4 });
  const next = nextEvent(upToDate);
  await expect.poll(() => second.app.activity.watchers).toBe(1);
  exchange.send(...words('e'));
  expect(await next).toMatchObject({ __typename: 'ChatDelta', fromSequence: 5, sequence: 5 });
  exchange.send('[DONE]');
  expect((await toEnd(upToDate)).at(-1)?.__typename).toBe('ChatCompleted');
});

test('streamChat with a used key follows the chat of another server', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  const there = streamChat(second.wsClient(), hello);
  expect(await nextEvent(there)).toMatchObject({ __typename: 'ChatSnapshot', generationId: id });
  exchange.send(...words('b'), '[DONE]');
  expect((await toEnd(there)).at(-1)).toMatchObject({ __typename: 'ChatCompleted', sequence: 2 });
  expect(gateway.requests).toHaveLength(1);
});

test('a cancel on any server reaches the chat and its watchers on all', async () => {
  // No regular check detects it, only the message.
  const { apps, first, second, gateway } = await startInstances(3, {
    overrides: { clock: withoutTimersOf(checkIntervalMs) },
  });
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  const watched = apps.map((app) => chatEvents(app.wsClient(), { id }));
  await Promise.all(watched.map(nextEvent));
  const canceling = cancelGeneration(second, { id });
  await exchange.closed;
  made(await canceling);
  for (const events of watched)
    expect((await toEnd(events)).at(-1)).toMatchObject({ __typename: 'ChatCanceled', sequence: 1 });
});

test('a cancel on another server returns all of the output, and a second cancel the same', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  const here = chatEvents(first.wsClient(), { id });
  await nextEvent(here);
  exchange.send(...words('a', 'b'));
  while ((await nextEvent(here)).sequence !== 2);
  // Sooner than the next save.
  const canceled = made(await cancelGeneration(second, { id }));
  expect(canceled).toMatchObject({ status: 'CANCELED', error: null, output: { sequence: 2 } });
  expect(made(await cancelGeneration(second, { id }))).toEqual(canceled);
  expect(await findGeneration(first, id)).toEqual(canceled);
});

test('a cancel succeeds although no server answers', async () => {
  const { first, second, gateway, records } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  await records.query(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
  await records.query(
    'create trigger lose before insert on instance_messages_1 for each row execute function lose()',
  );
  expect(made(await cancelGeneration(second, { id }))).toMatchObject({ status: 'CANCELED' });
  await exchange.closed;
});

test('a watcher with `after` of a chat that has ended gets the deltas, on any server, until the log expires', async () => {
  const { first, second, gateway } = await startInstances(2, { env: { STREAM_LOG_SECONDS: '3' } });
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a', 'b', 'c'), '[DONE]');
  const { id } = made(await starting);
  await toEnd(chatEvents(first.wsClient(), { id }));
  for (const after of [0, 2, 3]) {
    const here = await toEnd(chatEvents(first.wsClient(), { id, after }));
    expect(here.map(({ __typename }) => __typename)).toEqual(
      after === 3 ? ['ChatCompleted'] : ['ChatDelta', 'ChatCompleted'],
    );
    expect(await toEnd(chatEvents(second.wsClient(), { id, after }))).toEqual(here);
  }
  const beyond = await toEnd(chatEvents(second.wsClient(), { id, after: 4 }));
  expect(beyond.map(({ __typename }) => __typename)).toEqual(['ChatSnapshot', 'ChatCompleted']);
  await expect
    .poll(async () => (await toEnd(chatEvents(second.wsClient(), { id, after: 2 })))[0]?.__typename)
    .toBe('ChatSnapshot');
});

test('a query on another server shows all that a watcher has seen, and does not count as a watcher', async () => {
  const { first, second, gateway } = await startInstances(2, { env: { CHAT_DETACH_SECONDS: '2' } });
  const here = streamChat(first.wsClient(), { input: ask('Hello') });
  const started = nextEvent(here);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const id = (await started).generationId ?? '';
  for (let count = 1; count <= 3; count += 1) {
    exchange.send(...words(String(count)));
    expect((await nextEvent(here)).sequence).toBe(count);
    expect(await findGeneration(second, id)).toMatchObject({
      status: 'RUNNING',
      output: { sequence: count },
    });
  }
  await here.return?.();
  // More often than a chat without watchers stops.
  await expect
    .poll(async () => (await findGeneration(second, id))?.error?.code, { interval: 50 })
    .toBe('DETACHED');
});

test('a chat without a key continues while any server has a watcher, and stops after the last one', async () => {
  const { first, second, gateway } = await startInstances(2, { env: { CHAT_DETACH_SECONDS: '0.2' } });
  const socket = first.wsClient();
  const here = streamChat(socket, { input: ask('Hello') });
  const started = nextEvent(here);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const id = (await started).generationId ?? '';
  const there = chatEvents(second.wsClient(), { id });
  const seen = [await nextEvent(there)];
  // The first server knows of the watcher at the other one.
  await expect.poll(() => first.app.activity.watchers).toBe(2);
  await here.return?.();
  await expect.poll(() => first.app.activity.watchers).toBe(1);
  // Longer than the time until a chat without watchers stops.
  await new Promise((resolve) => setTimeout(resolve, 600));
  exchange.send(...words('b'));
  while (seen.at(-1)?.sequence !== 2) seen.push(await nextEvent(there));
  expect(foldChat(seen).choices[0]?.content).toBe('ab');
  await there.return?.();
  await exchange.closed;
  await expect.poll(async () => (await findGeneration(second, id))?.error?.code).toBe('DETACHED');
});

test('a watcher that leaves another server and comes back at once gets every delta', async () => {
  const { first, second, gateway } = await startInstances(2);
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('0'));
  const { id } = made(await starting);
  const client = second.wsClient();
  let events = chatEvents(client, { id });
  await nextEvent(events);
  for (let count = 1; count <= 20; count += 1) {
    await events.return?.();
    events = chatEvents(client, { id });
    await nextEvent(events);
    exchange.send(...words(String(count)));
    while ((await nextEvent(events)).sequence !== count + 1);
  }
  exchange.send('[DONE]');
  expect((await toEnd(events)).at(-1)).toMatchObject({ __typename: 'ChatCompleted', sequence: 21 });
});

test('watchers on all servers of a chat that the gateway refuses get the refusal that its creator gets', async () => {
  const { apps, first, gateway } = await startInstances(2);
  const headers = { 'content-type': 'application/json', 'retry-after': '7' };
  for (const [index, status] of [401, 422, 429, 503].entries()) {
    const key = { idempotencyKey: `k${status}` };
    const creating = startChat(first, { ...key, input: ask('Hello') });
    const exchange = await gateway.exchange(index);
    const conflict = refused(await startChat(first, { ...key, input: ask('Bye') }));
    const id = conflict.generation?.id ?? '';
    const watched = apps.map((app) => chatEvents(app.wsClient(), { id }));
    for (const events of watched) expect(await nextEvent(events)).toMatchObject({ sequence: 0 });
    exchange.reply(status, { error: { message: 'no', code: 'x' } }, headers);
    const { generation: _none, ...refusal } = refused(await creating);
    for (const events of watched)
      expect((await toEnd(events)).at(-1)).toMatchObject({ __typename: 'ChatFailed', error: refusal });
  }
});
