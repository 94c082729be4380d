import { describe, expect, onTestFinished, test } from 'vitest';
import { retryOptions } from '../../src/client/reconnecting.ts';
import { createAbsentRecords } from '../support/absent-records.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  chatQuery,
  type ChatEvent,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const input = ask('Hello');

/** A server that runs one chat with its first word, whose records are away. */
async function startAway(request: { readonly idempotencyKey?: string } = {}) {
  const records = createAbsentRecords();
  const { app, gateway, ...server } = await startScripted({ overrides: { wrapStore: records.wrapStore } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  onTestFinished(records.bringBack);
  const socket = await openRawSocket(app.url);
  await socket.init();
  socket.subscribe(uuid, { query: chatQuery, variables: { input, ...request } });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  await socket.inbox.when((all) => all.some(({ payload }) => JSON.stringify(payload)?.includes('one ')));
  const { payload } = await socket.waitForMessage(uuid);
  const id = (payload as { data: { streamChat: ChatEvent } }).data.streamChat.generationId ?? '';
  records.takeAway();
  return { app, gateway, exchange, records, socket, id };
}

describe('a chat that runs here while the records are unavailable', () => {
  test('is followed again by its operation id, and is sent once', async () => {
    const { app, gateway, exchange, records, socket } = await startAway();
    socket.terminate();
    const again = await openRawSocket(app.url);
    await again.init();
    again.subscribe(uuid, { query: chatQuery, variables: { input } });
    const { type, payload } = await again.waitForMessage(uuid);
    expect(type).toBe('next');
    expect(payload).toMatchObject({ data: { streamChat: { __typename: 'ChatSnapshot' } } });
    exchange.send(...words('two '));
    await again.inbox.when((all) => all.some((message) => JSON.stringify(message).includes('two ')));
    records.bringBack();
    exchange.send('[DONE]');
    expect((await again.waitForEnd(uuid)).at(-2)).toMatchObject({
      payload: { data: { streamChat: { __typename: 'ChatCompleted' } } },
    });
    expect(gateway.requests).toHaveLength(1);
  });

  test('is followed again by its key over server-sent events, and returned by its create', async () => {
    const { app, gateway, id } = await startAway({ idempotencyKey: 'k' });
    const events = streamChat(app.sseClient(), { input, idempotencyKey: 'k' });
    expect(foldedText([await nextEvent(events)])).toBe('one ');
    const repeated = made(await startChat(app, { input, idempotencyKey: 'k' }));
    expect(repeated).toMatchObject({ id, status: 'RUNNING' });
    expect(gateway.requests).toHaveLength(1);
  });

  test('is followed by its id, by its owner only', async () => {
    const { app, id, records } = await startAway();
    const event = await nextEvent(chatEvents(app.wsClient(), { id }));
    expect(foldedText([event])).toBe('one ');
    const iterating = app
      .wsClient({ ...retryOptions, connectionParams: { authorization: 'Bearer sk-other' } })
      .iterate({ query: `subscription { chatEvents(id: "${id}") { sequence } }` });
    // Only the records could tell the stranger that it exists.
    const failing = iterating.next();
    records.bringBack();
    expect((await failing).value).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });

  test('is a conflict for another input with its key', async () => {
    const { app } = await startAway({ idempotencyKey: 'k' });
    const other = refused(await startChat(app, { input: ask('Bye'), idempotencyKey: 'k' }));
    expect(other.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  test.each(['id', 'idempotencyKey'] as const)('is stopped by a cancel by %s', async (name) => {
    const { app, id, exchange, records } = await startAway({ idempotencyKey: 'k' });
    const canceling = cancelGeneration(app, name === 'id' ? { id } : { idempotencyKey: 'k' });
    await exchange.closed;
    records.bringBack();
    expect(await canceling).toMatchObject({ id, status: 'CANCELED' });
    await expect.poll(async () => (await findGeneration(app, id))?.status).toBe('CANCELED');
  });
});

test('a chat with inline images is followed by its key too, if they are recorded', async () => {
  const records = createAbsentRecords();
  const { app, gateway, ...server } = await startScripted({
    env: { RECORD_INLINE_IMAGES: 'true' },
    overrides: { wrapStore: records.wrapStore },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  onTestFinished(records.bringBack);
  const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(100)}`;
  const messages = [{ role: 'USER' as const, content: { parts: [{ imageUrl: { url } }] } }];
  const request = { input: { model: 'm', messages }, idempotencyKey: 'k' };
  const starting = startChat(app, request);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  const { id } = made(await starting);
  records.takeAway();
  expect(made(await startChat(app, request))).toMatchObject({ id, status: 'RUNNING' });
  const other = startChat(app, { ...request, idempotencyKey: 'other' });
  await expect(other).rejects.toThrow('SAME_KEY');
  expect(gateway.requests).toHaveLength(1);
});

test('a retry of a create that was sent never hears that nothing was charged', async () => {
  const records = createAbsentRecords();
  const { app, gateway, ...server } = await startScripted({ overrides: { wrapStore: records.wrapStore } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  onTestFinished(records.bringBack);
  const create = `mutation {
    createImage(input: { byCount: { prompt: "a fox" } }, idempotencyKey: "k") {
      __typename ... on Generation { id status }
    }
  }`;
  const creating = app.run<{ createImage: { status: string } }, object>(create);
  const exchange = await gateway.exchange(0);
  records.takeAway();
  const repeated = app.run(create);
  exchange.reply(200, { data: [{ url: 'https://example.com/fox.png' }] });
  await creating;
  for (const each of [creating, repeated, app.run(create)])
    expect((await each).errors).toMatchObject([
      { extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'SAME_KEY' } },
    ]);
  records.bringBack();
  const repeat = async () => (await app.run<{ createImage: unknown }, object>(create)).data?.createImage;
  await expect.poll(repeat, { timeout: 20_000 }).toMatchObject({ status: 'SUCCEEDED' });
  expect(gateway.requests).toHaveLength(1);
});

test('a chat whose acceptance cannot be recorded is followed by its client, and is sent once', async () => {
  const records = createAbsentRecords();
  const { app, gateway, ...server } = await startScripted({ overrides: { wrapStore: records.wrapStore } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  onTestFinished(records.bringBack);
  const seen = toEnd(streamChat(app.wsClient({ ...retryOptions, retryWait: async () => {} }), { input }));
  const exchange = await gateway.exchange(0);
  records.takeAway();
  exchange.send(...words('one '));
  await expect.poll(() => records.failed).toContain('settle');
  records.bringBack();
  exchange.send(...words('two'), '[DONE]');
  const events = await seen;
  expect(foldedText(events)).toBe('one two');
  expect(events.at(-1)?.__typename).toBe('ChatCompleted');
  expect(gateway.requests).toHaveLength(1);
});
