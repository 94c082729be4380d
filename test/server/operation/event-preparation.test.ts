import { type ExecutionResult, GraphQLError, parse } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { largeWork } from '../../../src/lib/fairness/large-work.ts';
import {
  createEventPreparation,
  type EventSelection,
} from '../../../src/server/operation/event-preparation.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const document = parse('subscription { a }');

function start(maxBytes = 1000) {
  const clock = createManualClock();
  const preparation = createEventPreparation({ maxBytes, clock });
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

test('the long texts of one owner are written one after another, and short ones do not wait', async () => {
  const begun: (() => void)[] = [];
  const beginAnswer = vi.spyOn(largeWork, 'beginAnswer');
  beginAnswer.mockImplementation(() => new Promise<void>((resolve) => void begun.push(resolve)));
  onTestFinished(() => beginAnswer.mockRestore());
  const preparation = createEventPreparation({ maxBytes: 1e6, clock: createManualClock() });
  const done: string[] = [];
  const prepare = (owner: string, name: string, length: number): Promise<void> =>
    preparation
      .open({ owner, document, view: undefined })
      .prepare({}, () => ({ data: { a: 'x'.repeat(length) } }))
      .then(() => void done.push(name));
  const all = [
    prepare('ann', 'first', 100_000),
    prepare('ann', 'second', 100_000),
    prepare('bob', 'other', 100_000),
  ];
  await prepare('ann', 'short', 1000);
  expect(done).toEqual(['short']);
  // One turn for each owner.
  expect(begun).toHaveLength(2);
  begun[0]?.();
  await all[0];
  expect(done).toEqual(['short', 'first']);
  await expect.poll(() => begun.length).toBe(3);
  for (const begin of begun) begin();
  await Promise.all(all);
  expect(done.toSorted()).toEqual(['first', 'other', 'second', 'short']);
});
