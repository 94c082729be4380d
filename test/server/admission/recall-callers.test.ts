import { describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, createSystemClock } from '../../../src/lib/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { startApp } from '../../support/app.ts';
import { ask, createChatCompletion, made } from '../../support/chats.ts';
import { startFakeGateway } from '../../support/fake-gateway.ts';
import { createRecords, engines } from '../../support/records.ts';

const headersOf = (key: string) => ({ headers: { authorization: `Bearer sk-${key}` } });
const system = createSystemClock();
/** An operation waits for the look-up of its caller however slow the machine is. */
const clientClock: Clock = {
  ...system,
  after: (ms, run) => (ms === 100 ? () => {} : system.after(ms, run)),
};
const list = '{ generations { edges { node { id } } } }';

async function start(env: Readonly<Record<string, string>>, perSecond: number) {
  const gateway = await startFakeGateway((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content: 'Hi' } }] }));
  });
  /** How often the records of callers were looked up. */
  let lookups = 0;
  const wrapStore = (store: Store): Store => ({
    ...store,
    hasGenerations(...parameters) {
      lookups += 1;
      return store.hasGenerations(...parameters);
    },
  });
  const app = await startApp({
    gatewayUrl: gateway.url,
    env: { ...env, ANONYMOUS_OPERATIONS_PER_SECOND: String(perSecond) },
    overrides: { wrapStore, clientClock },
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await app[Symbol.asyncDispose]();
    isOpen = false;
  };
  onTestFinished(close);
  return { app, close, lookups: () => lookups };
}

const createOf = (key: string) => ({ input: ask('Hello'), idempotencyKey: key });

describe.each(engines)('callers behind one address after a restart, with records in %s', (engine) => {
  test('are accepted by their records, for replays and reads, and a flood of unknown keys reads little', async () => {
    const { env } = await createRecords(engine);
    const before = await start(env, 100_000);
    const keys = Array.from({ length: 40 }, (_, index) => `known-${index}`);
    const ids = await Promise.all(
      keys.map(async (key) => {
        const { headers } = headersOf(key);
        return made(await createChatCompletion(before.app, createOf(key), headers)).id;
      }),
    );
    await before.close();

    // A rate that lets 20 operations of unknown callers through.
    const { app, lookups } = await start(env, 1);
    const first = await createChatCompletion(app, createOf('known-0'), headersOf('known-0').headers);
    expect(made(first).id).toBe(ids[0]);
    for (let turn = 0; turn < 3; turn += 1)
      await Promise.all(
        keys.map(async (key, index) => {
          const answer = await app.run(list, {}, headersOf(key));
          expect(answer).toEqual({ data: { generations: { edges: [{ node: { id: ids[index] } }] } } });
        }),
      );
    const replays = keys.map((key) => createChatCompletion(app, createOf(key), headersOf(key).headers));
    expect((await Promise.all(replays)).map((replay) => made(replay).id)).toEqual(ids);
    // Each was looked up once.
    expect(lookups()).toBe(keys.length);

    const startedAt = performance.now();
    const flood = await Promise.all(
      Array.from({ length: 400 }, (_, index) => app.run(list, {}, headersOf(`unknown-${index}`))),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const refused = flood.filter(({ errors }) => errors?.[0]?.extensions?.['code'] === 'RATE_LIMITED');
    expect(refused.length).toBeGreaterThan(400 - 20 - 2 * seconds - 2);
    // 100 at once and five a second, of which the known callers used some.
    expect(lookups()).toBeLessThanOrEqual(100 + 5 * (seconds + 10));
    expect((await app.run(list, {}, headersOf('known-0'))).errors).toBeUndefined();
  });
});

test('operations that wait for the look-up of their caller have the limits of waiting operations', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  await using app = await startApp({
    env: { MAX_OPERATIONS_PER_ADDRESS: '1', MAX_OPEN_PER_ADDRESS: '1' },
    overrides: { wrapStore: (store) => ({ ...store, hasGenerations: () => promise }), clientClock },
  });
  const answers = Array.from({ length: 5 }, () => app.run('{ __typename }', {}, headersOf('one')));
  expect((await Promise.race(answers)).errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
  resolve(false);
  expect((await Promise.all(answers)).filter(({ errors }) => errors)).toHaveLength(1);
});
