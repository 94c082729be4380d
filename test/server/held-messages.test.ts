import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const sockets = 20;
const text = 'x'.repeat(400_000);
const key = 'Bearer sk-sandbox';
const watch = 'subscription { generationChanged { __typename } }';

/** What twenty sockets hold, each with an open subscription. */
async function growthOf(
  params: Readonly<Record<string, unknown>>,
  payload: Readonly<Record<string, unknown>>,
): Promise<number> {
  await using app = await startApp();
  const open = async (connectionParams: unknown, rest: object): Promise<void> => {
    const socket = await openRawSocket(app.url);
    await socket.init(connectionParams);
    socket.subscribe('a', { query: watch, ...rest });
    socket.subscribe('b', '{ __typename }');
    await socket.waitForMessage('b');
  };
  await open({ authorization: key }, {});
  const before = await heldBytes();
  for (let index = 0; index < sockets; index += 1)
    await open({ authorization: key, ...params }, { ...payload });
  return (await heldBytes()) - before;
}

const withVariable = `subscription ($isShown: Boolean!, $filter: GenerationFilter) {
  generationChanged(filter: $filter) { __typename cursor @include(if: $isShown) }
}`;
const inFragment = `subscription ($filter: GenerationFilter) { ...Feed }
  fragment Feed on Subscription { generationChanged(filter: $filter) { __typename } }`;
test.each([
  ['variables that no field uses', {}, { variables: { text } }],
  ['variables that its events do not use', {}, { query: withVariable, variables: { isShown: true, text } }],
  ['variables that only a root field in a fragment uses', {}, { query: inFragment, variables: { text } }],
  ['extensions', {}, { extensions: { text } }],
  ['connectionParams', { text }, {}],
  ['nested connectionParams', { connectionParams: { text } }, {}],
  ['headers in connectionParams that are too long', { token: [text], 'x-end-user': text }, {}],
])('a socket does not hold %s while a subscription is open', async (_what, params, payload) => {
  expect(await growthOf(params, payload)).toBeLessThan((sockets * text.length) / 2);
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
    const problem = expect.stringMatching(
      new RegExp(`^${name} is longer than 16384 characters`, 'i'),
    ) as string;
    expect(await socket.waitForMessage('a')).toMatchObject({
      type: 'error',
      payload: [{ message: problem, extensions: { code: 'BAD_REQUEST' } }],
    });
  },
);
