import { expect, test } from 'vitest';
import { anonymousIdleMs, unacceptedIdleMs } from '../../src/server/admission/idle-sockets.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const watch = 'subscription { generationChanged { cursor } }';

async function setUp() {
  const clock = createManualClock();
  const app = await startApp({ env: { WEBSOCKET_PING_SECONDS: '86400' }, overrides: { clientClock: clock } });
  return { app, clock };
}

test('a socket without a credential closes when it has no operation', async () => {
  const { app, clock } = await setUp();
  await using _app = app;
  const socket = await openRawSocket(app.url);
  await socket.init(null);
  clock.advance(anonymousIdleMs);
  expect(await socket.closed).toEqual({ code: 4401, reason: 'No credential and no operation' });
});

test('an operation with its own credential keeps it open, as in GraphiQL', async () => {
  const { app, clock } = await setUp();
  await using _app = app;
  const socket = await openRawSocket(app.url);
  await socket.init(null);
  socket.subscribe('a', { query: watch, extensions: { headers: sandboxKey } });
  await expect.poll(() => app.app.activity.feeds).toBe(1);
  clock.advance(3 * anonymousIdleMs);
  socket.subscribe('b', { query: '{ __typename }' });
  await socket.waitForEnd('b');
  clock.advance(3 * anonymousIdleMs);
  expect(app.app.activity.sockets).toBe(1);
  socket.send({ type: 'complete', id: 'a' });
  await expect.poll(() => app.app.activity.feeds).toBe(0);
  await clock.waitForTimer(anonymousIdleMs);
  clock.advance(anonymousIdleMs);
  expect(await socket.closed).toMatchObject({ code: 4401 });
});

test('a socket whose credential the gateway has not accepted closes later', async () => {
  const { app, clock } = await setUp();
  await using _app = app;
  const socket = await openRawSocket(app.url);
  await socket.init({ authorization: 'Bearer sk-unknown' });
  clock.advance(unacceptedIdleMs - 1);
  expect(app.app.activity.sockets).toBe(1);
  clock.advance(1);
  expect(await socket.closed).toEqual({ code: 4408, reason: 'No operation' });
});

test('a socket does not close earlier or later if the system clock is set', async () => {
  const { app, clock } = await setUp();
  await using _app = app;
  const socket = await openRawSocket(app.url);
  await socket.init({ authorization: 'Bearer sk-unknown' });
  clock.step(3_600_000);
  clock.advance(unacceptedIdleMs - 1);
  clock.step(-7_200_000);
  expect(app.app.activity.sockets).toBe(1);
  socket.send({ type: 'ping' });
  await socket.inbox.when((all) => all.some(({ type }) => type === 'pong'));
  clock.advance(1);
  expect(await socket.closed).toEqual({ code: 4408, reason: 'No operation' });
});

test('a socket with an accepted credential stays open', async () => {
  const { app, clock } = await setUp();
  await using _app = app;
  const socket = await openRawSocket(app.url);
  await socket.init(sandboxKey);
  socket.subscribe('a', '{ voices(first: 1) { totalCount } }');
  await socket.waitForEnd('a');
  clock.advance(2 * unacceptedIdleMs);
  socket.subscribe('b', '{ __typename }');
  expect(await socket.waitForMessage('b')).toMatchObject({ type: 'next' });
});

test('sockets have a limit per address', async () => {
  await using app = await startApp({ env: { MAX_SOCKETS_PER_ADDRESS: '2' } });
  const first = await openRawSocket(app.url);
  await openRawSocket(app.url);
  await expect(openRawSocket(app.url)).rejects.toThrow('503');
  first.terminate();
  await expect.poll(() => app.app.activity.sockets).toBe(1);
  await expect(openRawSocket(app.url)).resolves.toBeDefined();
});
