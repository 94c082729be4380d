import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOutbox, type MessageRow } from '../../src/bus/postgres/outbox.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** An outbox whose writes wait for the test. */
function open() {
  const rows: MessageRow[] = [];
  let mayWrite = Promise.resolve();
  const outbox = createOutbox({
    clock: createManualClock(),
    async write(batch) {
      await mayWrite;
      rows.push(...batch);
    },
  });
  return {
    outbox,
    rows,
    hold() {
      const held = Promise.withResolvers<void>();
      mayWrite = held.promise;
      return held.resolve;
    },
  };
}

const messageOf = (length: number): string => `"${'x'.repeat(length)}"`;
const receivedBy = (rows: readonly MessageRow[], recipient: string): string =>
  rows
    .filter((row) => row.recipient === recipient)
    .map(({ body }) => body)
    .join();

test('the next message does not push out a state that is longer than all that may be pending', async () => {
  const { outbox, rows } = open();
  outbox.add('a', messageOf(20_000_000));
  outbox.add('b', '1');
  await outbox.flush();
  expect(receivedBy(rows, 'a')).toHaveLength(20_000_004);
  expect(receivedBy(rows, 'b')).toBe('[1]');
});

test('a long message to several recipients reaches each of them', async () => {
  const { outbox, rows } = open();
  const recipients = ['a', 'b', 'c', 'd', 'e', 'f'];
  const text = messageOf(6_000_000);
  for (const recipient of recipients) outbox.add(recipient, text);
  await outbox.flush();
  expect(rows.map(({ recipient }) => recipient).toSorted()).toEqual(recipients);
});

test('a full outbox does not shorten the pause after a write that failed', async () => {
  const clock = createManualClock();
  let attempts = 0;
  const outbox = createOutbox({
    clock,
    async write() {
      attempts += 1;
      throw new Error('there is no connection');
    },
  });
  outbox.add('a', '0');
  await outbox.flush();
  for (let count = 0; count < 40; count += 1) {
    outbox.add('a', messageOf(1_000_000 + count));
    await setImmediate();
  }
  expect(attempts).toBe(1);
});

test('while nothing can be written, messages beyond the limit are dropped, and their numbers show it', async () => {
  const { outbox, rows, hold } = open();
  const release = hold();
  outbox.add('a', '0');
  const flushed = outbox.flush();
  await setImmediate();
  for (let count = 1; count <= 40; count += 1) outbox.add('a', messageOf(1_000_000 + count));
  release();
  await flushed;
  await outbox.flush();
  expect(rows.map(({ number }) => number)).toEqual([1, 4]);
  expect(receivedBy(rows, 'a').length).toBeLessThan(16_000_000);
});
