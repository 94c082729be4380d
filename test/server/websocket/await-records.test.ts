import { describe, expect, onTestFinished, test } from 'vitest';
import { errorCodes, retryAdvice } from '../../../src/error-codes.ts';
import { retryOptions } from '../../../src/client/reconnecting.ts';
import { checkMs, longestWaitMs, maxWaiting } from '../../../src/server/websocket/record-waits.ts';
import { createAbsentRecords } from '../../support/absent-records.ts';
import { sandboxKey, systemToken } from '../../support/app.ts';
import { ask, chatQuery, made, startChat, startChatQuery, streamChat, toEnd } from '../../support/chats.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';

const unavailable = { code: 'RECORDS_UNAVAILABLE', retry: 'SAME_KEY' };
/** Nothing was charged, and there is no key to repeat. */
const unsent = { code: 'RECORDS_UNAVAILABLE', retry: 'LATER' };
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const input = ask('Hello');

async function start(env: Readonly<Record<string, string>> = {}) {
  const records = createAbsentRecords();
  const scripted = await startScripted({ env, overrides: { wrapStore: records.wrapStore } });
  onTestFinished(() => scripted[Symbol.asyncDispose]());
  onTestFinished(records.bringBack);
  return { ...scripted, records };
}

describe('an operation while the records are unavailable', () => {
  test('has a code and an advice of its own', () => {
    expect(errorCodes.RECORDS_UNAVAILABLE.retry).toBe('SAME_KEY');
    expect(retryAdvice.SAME_KEY).toBe(
      'Unknown whether it was charged. Retry with the same idempotency key, never with a new one.',
    );
  });

  test('comes back by itself on a stock client without a key, and is sent once', async () => {
    const { app, gateway, records } = await start();
    records.takeAway();
    const codes: unknown[] = [];
    const client = app.wsClient({
      ...retryOptions,
      retryWait: async () => {
        if (codes.length === 2) records.bringBack();
      },
      on: { closed: (event) => codes.push((event as { code: number }).code) },
    });
    const seen = toEnd(streamChat(client, { input }));
    (await gateway.exchange(0)).send(...words('Hi'), '[DONE]');
    expect(foldedText(await seen)).toBe('Hi');
    expect(codes).toEqual([1013, 1013]);
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([
    ['a query', '{ generations { edges { node { id } } } }', {}],
    ['a mutation', startChatQuery, { input }],
    ['a subscription', chatQuery, { input }],
  ])(
    'closes the socket of %s without a key with 1013, without an answer',
    async (_name, query, variables) => {
      const { app, gateway, records } = await start();
      const socket = await openRawSocket(app.url);
      await socket.init();
      records.takeAway();
      socket.subscribe(uuid, { query, variables });
      expect(await socket.closed).toMatchObject({ code: 1013 });
      expect(socket.inbox.all.map(({ type }) => type)).toEqual(['connection_ack']);
      expect(gateway.requests).toHaveLength(0);
    },
  );

  test.each([
    ['a mutation with a key', uuid, startChatQuery, { input, idempotencyKey: 'k' }],
    ['a subscription with a key', uuid, chatQuery, { input, idempotencyKey: 'k' }],
    [
      'a key as a default of a variable',
      uuid,
      chatQuery.replace('$idempotencyKey: ID', '$idempotencyKey: ID = "k"'),
      { input },
    ],
  ])('answers %s with an error', async (_name, id, query, variables) => {
    const { app, gateway, records } = await start();
    const socket = await openRawSocket(app.url);
    await socket.init();
    records.takeAway();
    socket.subscribe(id, { query, variables });
    const { payload } = await socket.waitForMessage(id);
    const errors = Array.isArray(payload) ? payload : (payload as { errors: unknown }).errors;
    expect(errors).toMatchObject([
      { message: expect.stringContaining(retryAdvice.SAME_KEY), extensions: unavailable },
    ]);
    expect(gateway.requests).toHaveLength(0);
  });

  // Sent again, nothing would tell the server that it is the same create.
  test('answers a create that no id identifies with an error: it was not sent', async () => {
    const { app, gateway, records } = await start();
    const socket = await openRawSocket(app.url);
    await socket.init();
    records.takeAway();
    socket.subscribe('1', { query: startChatQuery, variables: { input } });
    const { payload } = await socket.waitForMessage('1');
    expect(payload).toMatchObject({
      errors: [{ message: expect.stringContaining('Nothing was sent or charged.'), extensions: unsent }],
    });
    expect(gateway.requests).toHaveLength(0);
  });

  test.each([
    [
      'a token',
      'createAccessToken(input: { name: "t", quota: { isUnlimited: true } }) { ... on CreatedAccessToken { key } }',
      { key: 'sk-0123456789abcdef' },
    ],
    [
      'a voice',
      'cloneVoice(input: { fileId: 5, voiceId: "my-voice_1" }) { ... on ClonedVoice { preview { url } } }',
      { preview: { url: 'https://x.test/demo.mp3' } },
    ],
    [
      'a webhook',
      'createWebhook(input: { url: "https://hooks.test/" }) { ... on CreatedWebhook { secret } }',
      { secret: expect.stringMatching(/^whsec_/) },
    ],
  ])('is answered if it has made %s: no repetition shows the same', async (name, field, shown) => {
    const { app, gateway, records } = await start({ OWNER_WEBHOOKS: 'on', WEBHOOK_HOSTS: 'hooks.test' });
    const socket = await openRawSocket(app.url);
    await socket.init(name === 'a token' ? systemToken : sandboxKey);
    records.takeAway('deleteGenerations');
    socket.subscribe(uuid, {
      query: `mutation { made: ${field} deleteGenerations(ids: ["x"]) { deletedIds } }`,
    });
    if (name !== 'a webhook')
      (await gateway.exchange(0)).reply(200, {
        ...(name === 'a token' ? { success: true, data: 'sk-0123456789abcdef' } : {}),
        ...(name === 'a voice'
          ? { demo_audio: 'https://x.test/demo.mp3', base_resp: { status_code: 0 } }
          : {}),
      });
    const [answer] = await Promise.race([socket.waitForEnd(uuid), socket.closed.then(() => [])]);
    expect(answer?.payload).toMatchObject({ data: { made: shown }, errors: [{ extensions: unsent }] });
  });

  test('gets the error over HTTP and server-sent events', async () => {
    const { app, records } = await start();
    records.takeAway();
    const create = await app.run(startChatQuery, { input, idempotencyKey: 'k' });
    expect(create.errors).toMatchObject([{ extensions: unavailable }]);
    const keyless = await app.run(startChatQuery, { input });
    expect(keyless.errors).toMatchObject([{ extensions: unsent }]);
    const read = await app.run('{ generations { edges { node { id } } } }');
    expect(read.errors).toMatchObject([
      { message: expect.stringContaining('This request charged nothing'), extensions: unsent },
    ]);
    const events = app.sseClient().iterate({ query: chatQuery, variables: { input, idempotencyKey: 'k' } });
    expect((await events.next()).value).toMatchObject({ errors: [{ extensions: unavailable }] });
  });
});

describe('an operation on a socket that watches a chat of this server, while the records are unavailable', () => {
  const watchQuery =
    'subscription ($id: ID!) { chatEvents(id: $id, minIntervalMs: 0) { __typename sequence } }';
  const read = '{ generations { edges { node { id } } } }';

  /** A socket with a running chat, and operations on it that cannot be recorded. */
  async function startWatched(waiting = 1) {
    const records = createAbsentRecords();
    const clock = createManualClock();
    const scripted = await startScripted({ overrides: { wrapStore: records.wrapStore, clientClock: clock } });
    onTestFinished(() => scripted[Symbol.asyncDispose]());
    onTestFinished(records.bringBack);
    const { app, gateway } = scripted;
    const starting = startChat(app, { input, idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('watch', { query: watchQuery, variables: { id } });
    await socket.waitForMessage('watch');
    // The end of the chat can be recorded, so that it can end.
    records.takeAway('claim', 'listGenerations', 'isReady');
    for (let index = 0; index < waiting; index += 1) socket.subscribe(`read-${index}`, read);
    socket.subscribe(uuid, { query: chatQuery, variables: { input } });
    const sequences = (): readonly unknown[] =>
      socket.inbox.all.flatMap(({ id: of, payload }) =>
        of === 'watch' && payload ? [(payload as WatchPayload).data.chatEvents.sequence] : [],
      );
    /** Sends a word, and resolves when the watcher has it. */
    const watchWord = async (sequence: number): Promise<void> => {
      exchange.send(...words('a'));
      await socket.inbox.when(() => sequences().includes(sequence));
    };
    return { records, clock, gateway, exchange, socket, sequences, watchWord };
  }

  interface WatchPayload {
    readonly data: { readonly chatEvents: { readonly sequence: number } };
  }

  test('waits until they are back, and the chat goes on without another snapshot', async () => {
    const { records, clock, gateway, socket, sequences, watchWord } = await startWatched();
    await clock.waitForTimer(checkMs);
    await watchWord(1);
    clock.advance(checkMs);
    await clock.waitForTimer(checkMs);
    await watchWord(2);
    expect(sequences()).toEqual([0, 1, 2]);
    expect(socket.inbox.all.filter(({ id }) => id !== undefined && id !== 'watch')).toEqual([]);
    records.bringBack();
    clock.advance(checkMs);
    expect(await socket.closed).toMatchObject({ code: 1013 });
    expect(gateway.requests).toHaveLength(1);
  });

  test('waits for 30 seconds at most', async () => {
    const { clock, socket, watchWord } = await startWatched();
    for (let step = 1; step <= longestWaitMs / checkMs; step += 1) {
      await clock.waitForTimer(checkMs);
      // The answers to pings arrive before the word.
      await watchWord(step);
      clock.advance(checkMs);
    }
    expect(await socket.closed).toMatchObject({ code: 1013 });
  });

  test('waits no longer than the chat', async () => {
    const { clock, exchange, socket } = await startWatched();
    await clock.waitForTimer(checkMs);
    exchange.send('[DONE]');
    await socket.waitForEnd('watch');
    clock.advance(checkMs);
    expect(await socket.closed).toMatchObject({ code: 1013 });
  });

  test('waits no longer than its client', async () => {
    const { records, clock, socket, watchWord } = await startWatched();
    await clock.waitForTimer(checkMs);
    for (const id of ['read-0', uuid]) socket.send({ type: 'complete', id });
    // The server reads messages in order.
    socket.subscribe('last', '{ __typename }');
    await socket.waitForEnd('last');
    records.bringBack();
    clock.advance(checkMs);
    await watchWord(1);
    expect(clock.pending(checkMs)).toBe(0);
  });

  test('closes the socket if too many wait', async () => {
    const { socket } = await startWatched(maxWaiting);
    expect(await socket.closed).toMatchObject({ code: 1013 });
  });
});
