import { expect, test } from 'vitest';
import { createFollowedChat, type FollowedEvent } from '../../support/followed-chat.ts';
import { createRandom } from '../../support/random.ts';
import { firstSeed } from '../../support/seeds.ts';

/** `npm run test:long` sets a larger number. */
const count = Number(process.env['SCHEDULES'] ?? 1000) / 5;

function typesOf(events: readonly FollowedEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

/** Applies the events by the documented rules. @throws if there is a gap, a duplicate, or anything after the end */
function foldedText(events: readonly FollowedEvent[]): string {
  let sequence = -1;
  let text = '';
  let isOver = false;
  for (const event of events) {
    if (isOver) throw new Error(`${event.type} after the end`);
    if (event.type === 'snapshot') text = event.state.choices[0]?.content ?? '';
    else if (event.type === 'end') isOver = true;
    else if (event.fromSequence !== sequence + 1)
      throw new Error(`delta ${event.fromSequence} after ${sequence}`);
    else text += event.delta.choices.map(({ content = '' }) => content).join('');
    if (event.type === 'end' && event.sequence !== sequence) throw new Error('the end is ahead');
    sequence = event.sequence;
  }
  return text;
}

test('the end is readable before its producer listens again: a watcher elsewhere gets one snapshot, the deltas and the end', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const events = chat.watch();
  await chat.advance(100);
  expect(typesOf(events)).toEqual(['snapshot']);
  chat.producer.cut();
  chat.append('b');
  await chat.end('SUCCEEDED');
  // Longer than several checks of the record, and shorter than a lease.
  await chat.advance(9000);
  expect(typesOf(events)).toEqual(['snapshot']);
  chat.producer.restore();
  await chat.advance(100);
  expect(typesOf(events)).toEqual(['snapshot', 'delta', 'end']);
  expect(foldedText(events)).toBe('ab');
});

test('a watcher whose own server cannot listen gets one snapshot, the deltas and the end', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const events = chat.watch();
  await chat.advance(100);
  chat.reader.cut();
  chat.append('b');
  await chat.end('SUCCEEDED');
  chat.expireProducer();
  await chat.advance(9000);
  expect(typesOf(events)).toEqual(['snapshot']);
  chat.reader.restore();
  await chat.advance(1500);
  expect(typesOf(events)).toEqual(['snapshot', 'delta', 'end']);
  expect(foldedText(events)).toBe('ab');
});

test('a producer that is alive and silent for one lease delays the end by that lease, then the record is the snapshot', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const events = chat.watch();
  await chat.advance(100);
  chat.producer.cut();
  chat.append('b');
  await chat.end('SUCCEEDED');
  await chat.advance(10_000);
  expect(typesOf(events)).toEqual(['snapshot']);
  await chat.advance(2000);
  expect(typesOf(events)).toEqual(['snapshot', 'snapshot', 'end']);
  expect(foldedText(events)).toBe('ab');
});

test('the end of a dead producer whose record is ahead of the watcher does not wait', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const events = chat.watch();
  await chat.advance(100);
  chat.producer.cut();
  chat.append('b');
  chat.save();
  await chat.advance(10_000);
  chat.expireProducer();
  await chat.end('FAILED');
  await chat.advance(500);
  expect(typesOf(events)).toEqual(['snapshot', 'snapshot', 'end']);
  expect(foldedText(events)).toBe('ab');
});

test('a producer that lost its messages while it was cut off announces where it stands', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const events = chat.watch();
  await chat.advance(100);
  chat.producer.cut();
  chat.append('b');
  await chat.advance(100);
  chat.producer.lose();
  chat.producer.restore();
  // Nothing more is said in the chat.
  await chat.advance(100);
  expect(typesOf(events)).toEqual(['snapshot', 'delta']);
  expect(foldedText(events)).toBe('ab');
});

test('a server that its producer took for gone gets the missed deltas, not another snapshot', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const events = chat.watch();
  await chat.advance(100);
  // The producer hears nothing of it for 15 seconds.
  chat.reader.cut();
  await chat.advance(21_000);
  chat.append('b');
  chat.reader.restore();
  const late = chat.watch();
  await chat.advance(7000);
  expect(typesOf(events)).toEqual(['snapshot', 'delta']);
  expect(typesOf(late)).toEqual(['snapshot']);
  expect([foldedText(events), foldedText(late)]).toEqual(['ab', 'ab']);
});

test('a watcher elsewhere that has everything gets the end of an ended chat at once, without its producer', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  await chat.end('SUCCEEDED');
  chat.producer.cut();
  const events = chat.watch({ after: 1 });
  await chat.advance(10);
  expect(events).toMatchObject([{ type: 'end', sequence: 1 }]);
});

async function run(seed: number): Promise<void> {
  const random = createRandom(seed);
  const pick = (limit: number): number => Math.floor(random() * limit);
  const chat = createFollowedChat();
  chat.append('a');
  const watched = [chat.watch()];
  await chat.advance(100);
  let hasEnded = false;
  for (let step = 0; step < 25; step += 1) {
    const action = pick(100);
    if (action < 35 && !hasEnded) chat.append(String.fromCodePoint(98 + pick(20)));
    else if (action < 45) chat.producer.cut();
    else if (action < 50) chat.reader.cut();
    else if (action < 60) chat.producer.restore();
    else if (action < 65) chat.reader.restore();
    else if (action < 70) chat.producer.lose();
    else if (action < 75 && watched.length < 4 && !hasEnded) watched.push(chat.watch());
    else if (action < 77 && !hasEnded) {
      hasEnded = true;
      await chat.end('SUCCEEDED');
    } else await chat.advance(10 * 2 ** pick(hasEnded ? 7 : 9));
    // Nobody is away for longer than a lease.
    if (hasEnded) for (const member of [chat.producer, chat.reader]) if (random() < 0.4) member.restore();
  }
  for (const member of [chat.producer, chat.reader]) member.restore();
  if (!hasEnded) await chat.end('SUCCEEDED');
  await chat.advance(3000);
  for (const events of watched) {
    expect(events.at(-1)?.type).toBe('end');
    expect(typesOf(events).filter((type) => type === 'snapshot')).toHaveLength(1);
    expect(foldedText(events)).toBe(chat.text);
  }
}

test(`in ${count} random schedules of cuts and lost messages every watcher elsewhere gets one snapshot, all deltas once, and the end`, async () => {
  const broken: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count && broken.length < 3; seed += 1)
    await run(seed).catch((error: unknown) => broken.push(`seed ${seed}: ${String(error)}`));
  expect(broken).toEqual([]);
}, 600_000);
