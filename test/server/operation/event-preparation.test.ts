import { type ExecutionResult, GraphQLError, parse } from 'graphql';
import { expect, test } from 'vitest';
import { createSlicedTurns } from '../../../src/lib/fairness/fair-work.ts';
import { noLimits } from '../../../src/lib/fairness/fair-queue.ts';
import { sliceMs } from '../../../src/lib/fairness/slice.ts';
import {
  createEventPreparation,
  type EventSelection,
} from '../../../src/server/operation/event-preparation.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createManualLoop } from '../../support/manual-loop.ts';

const document = parse('subscription { a }');

function start(maxBytes = 1000) {
  const clock = createManualClock();
  const preparation = createEventPreparation({ maxBytes, clock, turns: { wait: () => undefined } });
  let executed = 0;
  const open = (selection: Partial<EventSelection> = {}) => {
    const preparer = preparation.open({ owner: 'ann', document, view: '', ...selection });
    return {
      close: () => preparer.close(),
      prepare: (event: unknown, result: ExecutionResult = { data: { a: 1 } }) =>
        preparer.prepare(event, async () => {
          executed += 1;
          return result;
        }),
    };
  };
  return { clock, open, executed: () => executed };
}

test('equal subscriptions share the text of an event for a second', async () => {
  const { clock, open, executed } = start();
  const [first, second] = [open(), open()];
  const event = {};
  const [one, two] = await Promise.all([first.prepare(event), second.prepare(event)]);
  expect(one).toEqual({ text: '{"data":{"a":1}}', errors: undefined });
  expect(two).toBe(one);
  expect(await first.prepare(event)).toBe(one);
  expect(executed()).toBe(1);
  await second.prepare({});
  expect(executed()).toBe(2);
  clock.advance(1000);
  await second.prepare(event);
  expect(executed()).toBe(3);
});

test.each<[string, Partial<EventSelection>]>([
  ['another owner', { owner: 'bob' }],
  ['another document', { document: parse('subscription { a }') }],
  ['other variables', { view: '{"x":1}' }],
  ['long variables', { view: undefined }],
])('a subscription with %s has a text of its own', async (_name, selection) => {
  const { open, executed } = start();
  const [first, second] = [open(), open()];
  const different = [open(selection), open(selection)];
  const event = {};
  await first.prepare(event);
  await second.prepare(event);
  expect(executed()).toBe(1);
  for (const { prepare } of different) await prepare(event);
  expect(executed()).toBe(selection.view === undefined && 'view' in selection ? 3 : 2);
});

test('errors are not shared, because they have the request id of their subscription', async () => {
  const { open, executed } = start();
  const [first, second] = [open(), open()];
  const event = {};
  const failed = (requestId: string) => ({
    data: { a: null },
    errors: [new GraphQLError('no', { extensions: { requestId } })],
  });
  const [one, two] = await Promise.all([
    first.prepare(event, failed('one')),
    second.prepare(event, failed('two')),
  ]);
  expect(executed()).toBe(2);
  expect([one?.text, two?.text]).toEqual([
    expect.stringContaining('"one"'),
    expect.stringContaining('"two"'),
  ]);
});

test('the kept texts have a limit of bytes, and the least recently used goes first', async () => {
  const { open, executed } = start(40);
  const [first] = [open(), open()];
  const [a, b, c] = [{}, {}, {}];
  for (const event of [a, b, a, c, a]) await first.prepare(event);
  expect(executed()).toBe(3);
  await first.prepare(b);
  expect(executed()).toBe(4);
});

test('what was kept is forgotten with the last subscription, and a single one keeps nothing', async () => {
  const { open, executed } = start();
  const [first, second] = [open(), open()];
  const event = {};
  await first.prepare(event);
  first.close();
  first.close();
  second.close();
  const third = open();
  await third.prepare(event);
  await third.prepare(event);
  expect(executed()).toBe(3);
});

test('an event that is read when it is delivered may turn out to be none', async () => {
  const { open, executed } = start();
  expect(await open().prepare(async () => undefined)).toBeUndefined();
  expect(executed()).toBe(0);
});

/** Each look at the loop's time is the end of a slice. */
function startTurns() {
  const loop = createManualLoop();
  const turns = createSlicedTurns({
    lengthMs: sliceMs.events,
    loop,
    pathOf: (owner) => [{ key: owner, limits: noLimits }],
  });
  const preparation = createEventPreparation({ maxBytes: 1e8, clock: createManualClock(), turns });
  const done: string[] = [];
  const prepare = (owner: string, name: string, execute: () => ExecutionResult | Promise<ExecutionResult>) =>
    preparation
      .open({ owner, document, view: undefined })
      .prepare({}, () => {
        loop.work(sliceMs.events);
        return execute();
      })
      .then(() => void done.push(name));
  const iterate = async (): Promise<readonly string[]> => {
    done.length = 0;
    loop.iterate();
    for (let reaction = 0; reaction < 100; reaction += 1) await Promise.resolve();
    return [...done];
  };
  return { prepare, iterate };
}

const small = { data: { a: 1 } };

test('owners take turns with their events, also with small ones', async () => {
  const { prepare, iterate } = startTurns();
  const names = ['ann 1', 'ann 2', 'ann 3', 'bob 1'];
  const all = names.map((name) => prepare(name.slice(0, 3), name, () => small));
  await all[0];
  const order: string[] = [];
  for (const _iteration of names) order.push(...(await iterate()));
  expect(order).toEqual(['ann 2', 'bob 1', 'ann 3']);
});

test('an event that was read has another turn for its text', async () => {
  const { prepare, iterate } = startTurns();
  const read = Promise.withResolvers<ExecutionResult>();
  const all = [
    prepare('ann', 'read', () => read.promise),
    prepare('ann', 'first', () => small),
    prepare('ann', 'second', () => small),
  ];
  expect(await iterate()).toEqual(['first']);
  read.resolve(small);
  expect(await iterate()).toEqual(['second']);
  expect(await iterate()).toEqual(['read']);
  await Promise.all(all);
});

test('each piece of a large text has a turn', async () => {
  const { prepare, iterate } = startTurns();
  const large = { data: { texts: Array.from({ length: 3 }, () => 'x'.repeat(1_000_000)) } };
  const isDone = { large: false };
  const all = [
    prepare('ann', 'large', () => large).then(() => (isDone.large = true)),
    prepare('bob', 'first', () => small),
    prepare('bob', 'second', () => small),
  ];
  const order: string[] = [];
  for (let iteration = 0; iteration < 20 && !isDone.large; iteration += 1) order.push(...(await iterate()));
  await Promise.all(all);
  expect(order).toEqual(['first', 'second', 'large']);
});
