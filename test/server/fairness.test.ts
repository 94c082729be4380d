import { expect, test } from 'vitest';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { postJson } from '../support/http.ts';
import { openRawSocket, type RawSocket } from '../support/raw-socket.ts';
import { type Exchange, startScripted } from '../support/scripted-gateway.ts';

const image = { data: [{ url: 'https://files.example.com/a.png' }] };

function createImage(prompt: string): string {
  return `mutation { createImage(input: { byCount: { prompt: "${prompt}" } }, idempotencyKey: "${prompt}") {
    __typename ... on Generation { id }
  } }`;
}

function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

const limits = {
  MAX_OPERATIONS_PER_OWNER: '2',
  MAX_OPERATIONS_PER_SOCKET: '1000',
};

async function openSocket(app: TestApp, key: string): Promise<RawSocket> {
  const socket = await openRawSocket(app.url);
  await socket.init(bearer(key));
  return socket;
}

const refused = {
  message: 'Too many operations of this caller are waiting. Nothing was sent. Retry.',
  extensions: { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 1 },
};

/** The gateway accepts a create of this key. */
async function accept(app: TestApp, key: string, exchange: Promise<Exchange>): Promise<void> {
  const created = app.run(createImage(`first of ${key}`), {}, { headers: bearer(key) });
  (await exchange).reply(200, image);
  await created;
}

test('operations beyond the limit of an owner wait, and those beyond the queue are refused unsent', async () => {
  await using scripted = await startScripted({ env: { ...limits, MAX_OPEN_PER_OWNER: '8' } });
  const { app, gateway } = scripted;
  await accept(app, 'sk-a', gateway.exchange(0));
  await accept(app, 'sk-b', gateway.exchange(1));
  const socket = await openSocket(app, 'sk-a');
  for (let index = 0; index < 12; index += 1) socket.subscribe(`${index}`, createImage(`image ${index}`));
  // Two run and eight wait.
  expect(await socket.waitForMessage('10')).toMatchObject({ type: 'error', payload: [refused] });
  expect(await socket.waitForMessage('11')).toMatchObject({ type: 'error', payload: [refused] });
  const overHttp = await postJson(app.url, { query: '{ __typename }' }, bearer('sk-a'));
  expect(overHttp).toMatchObject({ status: 429, json: { errors: [refused] } });
  expect(overHttp.headers['retry-after']).toBe('1');
  await gateway.exchange(3);
  expect(gateway.requests).toHaveLength(4);

  // Another owner is not affected.
  const other = app.run(createImage('other'), {}, { headers: bearer('sk-b') });
  (await gateway.exchange(4)).reply(200, image);
  expect(await other).toMatchObject({ data: { createImage: { __typename: 'Generation' } } });

  for (const index of [2, 3, 5, 6, 7, 8, 9, 10, 11, 12]) (await gateway.exchange(index)).reply(200, image);
  for (let index = 0; index < 10; index += 1)
    expect(await socket.waitForMessage(`${index}`)).toMatchObject({
      payload: { data: { createImage: { __typename: 'Generation' } } },
    });

  // A refused create left no trace: its key still creates.
  socket.subscribe('again', createImage('image 11'));
  (await gateway.exchange(13)).reply(200, image);
  expect(await socket.waitForMessage('again')).toMatchObject({
    payload: { data: { createImage: { __typename: 'Generation' } } },
  });
});

test('a waiting operation that its client cancels is not sent', async () => {
  await using scripted = await startScripted({ env: { ...limits, MAX_OPERATIONS_PER_OWNER: '1' } });
  const { app, gateway } = scripted;
  await accept(app, 'sk-a', gateway.exchange(0));
  const socket = await openSocket(app, 'sk-a');
  socket.subscribe('a', createImage('one'));
  socket.subscribe('b', createImage('canceled'));
  socket.send({ type: 'complete', id: 'b' });
  socket.subscribe('b', createImage('two'));
  const leaving = await openSocket(app, 'sk-a');
  leaving.subscribe('c', createImage('left'));
  leaving.send({ type: 'ping' });
  await leaving.inbox.when((all) => all.some(({ type }) => type === 'pong'));
  leaving.terminate();
  await expect.poll(() => app.app.activity.sockets).toBe(1);
  (await gateway.exchange(1)).reply(200, image);
  const second = await gateway.exchange(2);
  expect(second.text).toContain('two');
  second.reply(200, image);
  expect(await socket.waitForEnd('b')).toMatchObject([
    { payload: { data: { createImage: { __typename: 'Generation' } } } },
    { type: 'complete' },
  ]);
  expect(gateway.requests).toHaveLength(3);
});

test('open subscriptions have a limit per socket', async () => {
  await using app = await startApp({ env: { MAX_OPEN_PER_SOCKET: '2' } });
  const socket = await openRawSocket(app.url);
  await socket.init();
  const query = 'subscription { generationChanged { cursor } }';
  for (const id of ['a', 'b', 'c']) socket.subscribe(id, query);
  expect(await socket.waitForMessage('c')).toMatchObject({
    payload: { errors: [{ extensions: { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 1 } }] },
  });
  await expect.poll(() => app.app.activity.feeds).toBe(2);
  // Queries do not count.
  socket.subscribe('d', '{ __typename }');
  expect(await socket.waitForMessage('d')).toMatchObject({ payload: { data: { __typename: 'Query' } } });
  socket.send({ type: 'complete', id: 'a' });
  await expect.poll(() => app.app.activity.feeds).toBe(1);
  socket.subscribe('e', query);
  await expect.poll(() => app.app.activity.feeds).toBe(2);
});

test('each owner has that limit, on a socket whose operations have credentials of their own', async () => {
  await using app = await startApp({ env: { MAX_OPEN_PER_SOCKET: '1' } });
  const socket = await openRawSocket(app.url);
  await socket.init(null);
  const watch = (id: string, key: string): void =>
    socket.subscribe(id, {
      query: 'subscription { generationChanged { cursor } }',
      extensions: { headers: bearer(key) },
    });
  watch('a', 'sk-one');
  watch('b', 'sk-two');
  await expect.poll(() => app.app.activity.feeds).toBe(2);
  watch('c', 'sk-two');
  expect(await socket.waitForMessage('c')).toMatchObject({
    payload: { errors: [{ extensions: { code: 'RATE_LIMITED' } }] },
  });
});

test('an owner with thousands of operations does not delay one with a single operation', async () => {
  await using app = await startApp();
  const flood = await openRawSocket(app.url);
  const single = await openRawSocket(app.url);
  await flood.init(sandboxKey);
  await single.init({ ...sandboxKey, 'x-end-user': 'single' });
  const query = `{ ${Array.from({ length: 20 }, (_item, index) => `a${index}: generations(first: 1) { totalCount }`).join(' ')} }`;
  for (let index = 0; index < 200; index += 1) flood.subscribe(`${index}`, query);
  await flood.waitForMessage('0');
  single.subscribe('single', query);
  await single.waitForMessage('single');
  const answered = flood.inbox.all.filter(({ type }) => type === 'next').length;
  expect(answered).toBeLessThan(100);
  await flood.waitForEnd('199');
  expect(flood.inbox.all.filter(({ type }) => type === 'error')).toEqual([]);
});

test('an address that uses a new key for each request has a rate, which accepted callers do not share', async () => {
  await using app = await startApp({ env: { ANONYMOUS_OPERATIONS_PER_SECOND: '1' } });
  await app.run('{ voices(first: 1) { totalCount } }');
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async (_item, index) => {
      const { status } = await postJson(app.url, { query: '{ __typename }' }, bearer(`sk-new-${index}`));
      return status;
    }),
  );
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(25);
  const refused = await postJson(app.url, { query: '{ __typename }' });
  expect(refused).toMatchObject({
    status: 429,
    json: { errors: [{ extensions: { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 1 } }] },
  });
  for (let index = 0; index < 30; index += 1)
    expect(await app.run('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
});
