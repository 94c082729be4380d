import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const sockets = 20;
const text = 'x'.repeat(400_000);
const key = 'Bearer sk-sandbox';
const watch = 'subscription { generationChanged { __typename } }';

let app: TestApp & AsyncDisposable;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());
async function open(connectionParams: unknown, payload: object): Promise<void> {
  const socket = await openRawSocket(app.url);
  await socket.init(connectionParams);
  socket.subscribe('a', { query: watch, ...payload });
  socket.subscribe('b', '{ __typename }');
  await socket.waitForMessage('b');
}

const withVariable = `subscription ($isShown: Boolean!, $filter: GenerationFilter) {
  generationChanged(filter: $filter) { __typename cursor @include(if: $isShown) }
}`;
const inFragment = `subscription ($filter: GenerationFilter) { ...Feed }
  fragment Feed on Subscription { generationChanged(filter: $filter) { __typename } }`;
const rows: readonly (readonly [string, object, object])[] = [
  ['variables that no field uses', {}, { variables: { text } }],
  ['variables that its events do not use', {}, { query: withVariable, variables: { isShown: true, text } }],
  ['variables that only a root field in a fragment uses', {}, { query: inFragment, variables: { text } }],
  ['extensions', {}, { extensions: { text } }],
  ['connectionParams', { text }, {}],
  ['nested connectionParams', { connectionParams: { text } }, {}],
  ['headers in connectionParams that are too long', { token: [text], 'x-end-user': text }, {}],
];

/** Held with a socket of each row. The sockets of a test are closed at its end. */
let before: number | undefined;

async function measureFirst(): Promise<number> {
  for (const [, params, payload] of rows) await open({ authorization: key, ...params }, payload);
  return heldBytes();
}

test.each(rows)('a socket does not hold %s while a subscription is open', async (_what, params, payload) => {
  before ??= await measureFirst();
  for (let index = 0; index < sockets; index += 1) await open({ authorization: key, ...params }, payload);
  expect((await heldBytes()) - before).toBeLessThan((sockets * text.length) / 2);
});

test('a socket whose operation id is too long is closed', async () => {
  await using app = await startApp();
  const socket = await openRawSocket(app.url);
  await socket.init({ authorization: key });
  socket.subscribe('x'.repeat(200), '{ __typename }');
  await socket.waitForEnd('x'.repeat(200));
  socket.subscribe('x'.repeat(201), '{ __typename }');
  expect(await socket.closed).toMatchObject({ code: 4400 });
  await expect.poll(() => app.app.activity.sockets).toBe(0);
});

test.each(['authorization', 'token', 'new-api-user', 'x-forwarded-hoapp-codest'])(
  'a value of %s beyond the size of HTTP headers is refused',
  async (name) => {
    await using app = await startApp();
    const socket = await openRawSocket(app.url);
    await socket.init(name === 'token' ? { token: text } : { authorization: key, [name]: text });
    socket.subscribe('a', '{ generations(first: 1) { totalCount } }');
    const problem = expect.stringContaining('is longer than 16384 characters') as string;
    expect(await socket.waitForMessage('a')).toMatchObject({
      type: 'error',
      payload: [{ message: problem, extensions: { code: 'BAD_REQUEST' } }],
    });
  },
);
