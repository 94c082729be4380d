import { describe, expect, test } from 'vitest';
import { ForgetGenerationsDocument, ImageStreamDocument } from '../../src/client/documents.generated.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { checkIntervalMs } from '../../src/streams/end-watch.ts';
import { subscribe, type TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chat,
  type ChatEvent,
  chatStream,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { make, plainA, reply } from '../support/images.ts';
import { type Exchange, words } from '../support/scripted-gateway.ts';
import { startTwo, type TwoServers } from '../support/two-servers.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

interface RunningChat {
  readonly id: string;
  readonly exchange: Exchange;
  readonly events: AsyncIterableIterator<ChatEvent, undefined>;
}

/** A chat that the first server runs and somebody watches there, accepted and still without a word. */
async function runChat({ one, gateway }: TwoServers): Promise<RunningChat> {
  const events = chat(one.wsClient(), hello);
  const first = nextEvent(events);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  return { id: (await first).generationId ?? '', exchange, events };
}

async function forget(app: TestApp, id: string): Promise<readonly string[] | undefined> {
  return (await app.run(ForgetGenerationsDocument, { ids: [id] })).data?.forgetGenerations;
}

describe('a chat that is cancelled through a server that does not run it', () => {
  test('is let go of within half a second, also while nothing comes', async () => {
    const two = await startTwo();
    const { one, other, clock } = two;
    const { id, exchange, events } = await runChat(two);
    const canceled = made(await cancelGeneration(other, { id }));
    expect(canceled).toMatchObject({ id, status: 'CANCELED', isCancelable: false });
    clock.advance(checkIntervalMs);
    await exchange.closed;
    expect(await toEnd(events)).toMatchObject([
      { __typename: 'ChatCanceled', ended: { id, status: 'CANCELED', error: null } },
    ]);
    expect(await findGeneration(one, id)).toMatchObject({
      status: 'CANCELED',
      error: null,
      finishedAt: canceled.finishedAt,
    });
  });

  test('keeps what had arrived where it runs, though less of it was recorded when it ended', async () => {
    const two = await startTwo();
    const { one, other, clock } = two;
    const { id, exchange, events } = await runChat(two);
    exchange.send(...words('a'));
    const seen = [await nextEvent(events)];
    clock.advance(1000);
    await expect.poll(async () => (await findGeneration(other, id))?.output?.sequence).toBe(1);
    exchange.send(...words('b', 'c'), { choices: [], usage: { prompt_tokens: 1, completion_tokens: 3 } });
    seen.push(await nextEvent(events));
    const canceled = made(await cancelGeneration(other, { id }));
    expect(canceled.output).toMatchObject({ sequence: 1, choices: [{ message: { content: 'a' } }] });
    clock.advance(checkIntervalMs);
    await exchange.closed;
    seen.push(...(await toEnd(events)));
    expect(seen.at(-1)).toMatchObject({ __typename: 'ChatCanceled', sequence: 3 });
    for (const app of [one, other])
      expect(await findGeneration(app, id)).toMatchObject({
        status: 'CANCELED',
        finishedAt: canceled.finishedAt,
        output: { sequence: 3, choices: [{ message: { content: 'abc' } }] },
        usage: { promptTokens: 1, completionTokens: 3 },
        raw: { choices: [{ message: { content: 'abc' } }] },
      });
    const told = await toEnd(chatStream(other.wsClient(), { id }));
    expect(foldedText(told)).toBe('abc');
    expect(told.at(-1)?.__typename).toBe('ChatCanceled');
  });

  test('is found out by the next save, too, where nothing can be looked for', async () => {
    const wrapStore = (store: Store): Store => ({
      ...store,
      findEnded: () => Promise.reject(new Error('cannot be read')),
    });
    const two = await startTwo({ wrapStore });
    const { id, exchange, events } = await runChat(two);
    made(await cancelGeneration(two.other, { id }));
    exchange.send(...words('a'));
    expect((await nextEvent(events)).__typename).toBe('ChatDelta');
    two.clock.advance(1000);
    await exchange.closed;
    expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCanceled');
  });

  test('and forgotten at once is let go of as well, and does not come back', async () => {
    const two = await startTwo();
    const { one, other, clock } = two;
    const { id, exchange, events } = await runChat(two);
    expect(await forget(other, id)).toEqual([]);
    expect(await findGeneration(one, id)).toMatchObject({ status: 'RUNNING' });
    made(await cancelGeneration(other, { id }));
    expect(await forget(other, id)).toEqual([id]);
    clock.advance(checkIntervalMs);
    await exchange.closed;
    expect((await toEnd(events)).at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'INTERRUPTED' },
    });
    for (const app of [one, other]) expect(await findGeneration(app, id)).toBeNull();
    // The key stands for nothing any more.
    const again = startChat(other, hello);
    (await two.gateway.exchange(1)).send(...words('a'), '[DONE]');
    expect(made(await again).id).not.toBe(id);
  });

  test('and forgotten has not succeeded, also where the gateway is done before that is seen', async () => {
    const two = await startTwo();
    const { id, exchange, events } = await runChat(two);
    made(await cancelGeneration(two.other, { id }));
    expect(await forget(two.other, id)).toEqual([id]);
    exchange.send(...words('a'), '[DONE]');
    const end = (await toEnd(events)).at(-1);
    expect(end).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });
    expect(await findGeneration(two.one, id)).toBeNull();
  });

  test('before the gateway refuses it stays to be seen, and its key is free', async () => {
    const { one, other, gateway } = await startTwo();
    const starting = startChat(one, hello);
    const exchange = await gateway.exchange(0);
    const { id } = made(await cancelGeneration(other, { idempotencyKey: 'k' }));
    exchange.reply(429, { error: { message: 'slow down' } });
    expect(refused(await starting).code).toBe('RATE_LIMITED');
    for (const app of [one, other])
      expect(await findGeneration(app, id)).toMatchObject({ status: 'CANCELED', error: null });
    const again = startChat(one, hello);
    (await gateway.exchange(1)).send(...words('a'), '[DONE]');
    expect(made(await again).id).not.toBe(id);
  });

  test('is looked for in one read for all that run, and not once nothing does', async () => {
    const asked: (readonly string[])[] = [];
    const wrapStore = (store: Store): Store => ({
      ...store,
      findEnded: (ids) => (asked.push(ids), store.findEnded(ids)),
    });
    const { one, gateway, clock } = await startTwo({ wrapStore });
    expect(clock.pending(checkIntervalMs)).toBe(0);
    const ids: string[] = [];
    for (const index of [0, 1, 2]) {
      const starting = startChat(one, { input: ask('Hello'), idempotencyKey: `k${index}` });
      (await gateway.exchange(index)).accept();
      ids.push(made(await starting).id);
    }
    clock.advance(checkIntervalMs);
    expect(asked).toEqual([ids]);
    const watches = ids.map((id) => toEnd(chatStream(one.wsClient(), { id })));
    for (const index of [0, 1, 2]) (await gateway.exchange(index)).send(...words('a'), '[DONE]');
    await Promise.all(watches);
    await expect.poll(() => clock.pending(checkIntervalMs)).toBe(0);
    const before = asked.length;
    clock.advance(10 * checkIntervalMs);
    expect(asked).toHaveLength(before);
  });
});

describe('a reply asked for as a whole that is cancelled through a server that does not wait for it', () => {
  const start = async () => {
    const two = await startTwo();
    const waiting = createChatCompletion(two.one, hello);
    const exchange = await two.gateway.exchange(0);
    const canceled = made(await cancelGeneration(two.other, { idempotencyKey: 'k' }));
    expect(canceled).toMatchObject({ status: 'CANCELED', output: null });
    return { ...two, waiting, exchange, canceled };
  };

  test('is let go of within half a second: the waiting mutation returns it as cancelled', async () => {
    const { clock, waiting, exchange, canceled, gateway, other } = await start();
    clock.advance(checkIntervalMs);
    await exchange.closed;
    expect(made(await waiting)).toMatchObject({ id: canceled.id, status: 'CANCELED', error: null });
    expect(made(await createChatCompletion(other, hello)).status).toBe('CANCELED');
    expect(gateway.requests).toHaveLength(1);
  });

  test('keeps a reply that was quicker than that', async () => {
    const { other, waiting, exchange, canceled } = await start();
    exchange.reply(200, {
      choices: [{ message: { content: 'a' } }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    });
    made(await waiting);
    expect(await findGeneration(other, canceled.id)).toMatchObject({
      status: 'CANCELED',
      error: null,
      finishedAt: canceled.finishedAt,
      output: { choices: [{ message: { content: 'a' } }] },
      usage: { promptTokens: 1 },
    });
  });

  test('stays cancelled where its connection breaks before that', async () => {
    const { other, waiting, exchange, canceled } = await start();
    exchange.cut();
    expect(made(await waiting)).toMatchObject({ id: canceled.id, status: 'CANCELED' });
    expect(await findGeneration(other, canceled.id)).toMatchObject({ status: 'CANCELED', error: null });
  });

  test('goes on where nothing can stop it: the images of createImage', async () => {
    const { one, other, gateway, clock } = await startTwo();
    const waiting = make(one, { setA: plainA }, 'images');
    const exchange = await gateway.exchange(0);
    for (const app of [one, other]) {
      const answer = refused(await cancelGeneration(app, { idempotencyKey: 'images' }));
      expect(answer.code).toBe('NOT_CANCELABLE');
    }
    clock.advance(checkIntervalMs);
    exchange.reply(200, reply);
    expect(await waiting).toMatchObject({ status: 'SUCCEEDED' });
  });
});

test('an image stream is cancelled through either server, too', async () => {
  const { one, other, gateway, clock } = await startTwo();
  const variables = { input: plainA, idempotencyKey: 'images' };
  const events = subscribe(one.wsClient(), ImageStreamDocument, variables);
  const first = events.next();
  const exchange = await gateway.exchange(0);
  exchange.accept();
  await first;
  expect(made(await cancelGeneration(other, { idempotencyKey: 'images' })).status).toBe('CANCELED');
  clock.advance(checkIntervalMs);
  await exchange.closed;
  const { value } = await events.next();
  expect(value?.data?.imageStream.__typename).toBe('ImageCanceled');
});

test('the first end wins, whoever comes second with another', async () => {
  const two = await startTwo();
  const { one, clock, directory } = two;
  const { id, exchange, events } = await runChat(two);
  // As one that takes this server for dead does it.
  const records = await createSqliteStore({ directory, clock: systemClock });
  const error = { code: 'INTERRUPTED', message: 'taken for dead' };
  await records.endGeneration(id, { status: 'FAILED', error, finishedAt: 1000, isVisible: true });
  await records.close();
  exchange.send(...words('a'), '[DONE]');
  clock.advance(1000);
  expect((await toEnd(events)).at(-1)).toMatchObject({
    __typename: 'ChatFailed',
    error: { code: 'INTERRUPTED' },
  });
  expect(await findGeneration(one, id)).toMatchObject({
    status: 'FAILED',
    error: { code: 'INTERRUPTED' },
    finishedAt: new Date(1000).toISOString(),
  });
});
