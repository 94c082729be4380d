import { describe, expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../../src/errors.ts';
import type { CallbackRecords } from '../../../src/store/callback-records.ts';
import type { Store } from '../../../src/store/store.ts';
import { startApp } from '../../support/app.ts';
import { startCallbackApp, subscribeByCallback, textOf } from '../../support/callback-router.ts';
import { ask, chatQuery } from '../../support/chats.ts';
import { createRecords } from '../../support/records.ts';
import { words } from '../../support/scripted-gateway.ts';

const away = new RecordsUnavailableError('the records are away');

function withCallbacks(change: (records: CallbackRecords) => Partial<CallbackRecords>) {
  const wrapStore = (store: Store): Store => ({
    ...store,
    callbacks: { ...store.callbacks, ...change(store.callbacks) },
  });
  return { wrapStore };
}

/** Ends a process whose router has the first word of a chat, and starts the next one. Returns what the router got at the end. */
async function restartWith(change: (records: CallbackRecords) => Partial<CallbackRecords>) {
  const records = await createRecords('SQLite');
  const overrides = withCallbacks(change);
  const { app: first, gateway, router } = await startCallbackApp({ env: records.env, overrides });
  const variables = { input: ask('hello'), idempotencyKey: 'k' };
  const subscribed = subscribeByCallback(first, router, { query: chatQuery, variables });
  (await gateway.exchange(0)).send(...words('a'));
  await subscribed;
  await router.posts.when(() => textOf(router.events()) === 'a');
  await first.app.close();
  const env = { ...records.env, CALLBACK_URLS: `${router.url}/callback` };
  await using _second = await startApp({ gatewayUrl: gateway.url, env, overrides });
  const [complete] = await router.when('complete');
  return { errors: complete?.body.errors, last: router.events().at(-1)?.['__typename'] };
}

describe('the advice of a subscription that finds the records unavailable', () => {
  const input = ask('hello');
  const feed = 'subscription { generationChanged { cursor } }';

  test.each([
    ['a feed', 'add', feed, {}, 'LATER'],
    ['a create without a key of its client', 'add', chatQuery, { input }, 'LATER'],
    ['a create with a key', 'add', chatQuery, { input, idempotencyKey: 'k' }, 'SAME_KEY'],
    // By the id of the subscription, which the next one of the router does not have.
    ['a sent create without a key of its client', 'settle', chatQuery, { input }, 'MAY_CHARGE_AGAIN'],
    ['a sent create with a key', 'settle', chatQuery, { input, idempotencyKey: 'k' }, 'SAME_KEY'],
  ] as const)('%s', async (_what, failing, query, variables, retry) => {
    const fail = { [failing]: () => Promise.reject(away) };
    const overrides =
      failing === 'add'
        ? withCallbacks(() => fail)
        : { wrapStore: (store: Store): Store => ({ ...store, ...fail }) };
    const { app, gateway, router } = await startCallbackApp({ overrides });
    if (failing === 'settle') void gateway.exchange(0).then((exchange) => exchange.accept());
    const { json } = await subscribeByCallback(app, router, { query, variables });
    expect(json).toMatchObject({ errors: [{ extensions: { code: 'RECORDS_UNAVAILABLE', retry } }] });
  });
});

const ended = { errors: undefined, last: 'ChatFailed' };

test('a takeover goes on although it cannot record what the subscription follows', async () => {
  expect(await restartWith(() => ({ setGeneration: () => Promise.reject(away) }))).toEqual(ended);
});

test('a takeover goes on although the answer to its write was lost', async () => {
  const losing = (records: CallbackRecords): Partial<CallbackRecords> => {
    let isLost = false;
    return {
      async takeOver(limit) {
        const taken = await records.takeOver(limit);
        if (taken.length === 0 || isLost) return taken;
        isLost = true;
        throw away;
      },
    };
  };
  expect(await restartWith(losing)).toEqual(ended);
});

/** Fails the first time, after the write or before it. */
function failingFirst<Args extends readonly unknown[], Result>(
  write: (...args: Args) => Promise<Result>,
  isWritten: boolean,
): (...args: Args) => Promise<Result> {
  let isFirst = true;
  return async (...args) => {
    if (!isFirst) return write(...args);
    isFirst = false;
    if (isWritten) await write(...args);
    throw away;
  };
}

test.each([
  ['its removal fails', ({ remove }: CallbackRecords) => ({ remove: failingFirst(remove, false) }), 400],
  ['the answer to its write is lost', ({ add }: CallbackRecords) => ({ add: failingFirst(add, true) }), 204],
])('a subscription that is not opened leaves no record, also if %s', async (_name, change, answer) => {
  const records = await createRecords('SQLite');
  const overrides = withCallbacks(change);
  const { app, router } = await startCallbackApp({ env: records.env, overrides });
  router.answer = () => answer;
  const query = 'subscription { generationChanged { cursor } }';
  const { json } = await subscribeByCallback(app, router, { query });
  expect(json).toMatchObject({ errors: [{}] });
  await expect.poll(() => records.query('select id from callbacks')).toEqual([]);
});
