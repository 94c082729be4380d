import { describe, expect, onTestFinished, test } from 'vitest';
import { errorCodes, retryAdvice } from '../../../src/error-codes.ts';
import { retryOptions } from '../../../src/client/reconnecting.ts';
import { createAbsentRecords } from '../../support/absent-records.ts';
import { ask, chatQuery, startChatQuery, streamChat, toEnd } from '../../support/chats.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';

const unavailable = { code: 'RECORDS_UNAVAILABLE', retry: 'SAME_KEY' };
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const input = ask('Hello');

async function start() {
  const records = createAbsentRecords();
  const scripted = await startScripted({ overrides: { wrapStore: records.wrapStore } });
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
    // Sent again, nothing would tell the server that it is the same create.
    ['a create that no id identifies', '1', startChatQuery, { input }],
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

  test('gets the error over HTTP and server-sent events', async () => {
    const { app, records } = await start();
    records.takeAway();
    const { errors } = await app.run(startChatQuery, { input });
    expect(errors).toMatchObject([{ extensions: unavailable }]);
    const read = await app.run('{ generations { edges { node { id } } } }');
    expect(read.errors).toMatchObject([{ extensions: unavailable }]);
    const events = app.sseClient().iterate({ query: chatQuery, variables: { input, idempotencyKey: 'k' } });
    expect((await events.next()).value).toMatchObject({ errors: [{ extensions: unavailable }] });
  });
});
