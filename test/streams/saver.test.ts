import { describe, expect, test } from 'vitest';
import { createSaveTimes, saveIntervalMs } from '../../src/streams/save-times.ts';
import { Saver } from '../../src/streams/saver.ts';
import { Streams } from '../../src/streams/streams.ts';
import { createDeltaLog } from '../../src/streams/delta-log.ts';
import type { StreamShape } from '../../src/streams/shape.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** A saver whose saves the test completes by hand. */
function open() {
  const clock = createManualClock();
  const saves: PromiseWithResolvers<void>[] = [];
  const saver = new Saver({
    times: createSaveTimes(clock),
    save() {
      const save = Promise.withResolvers<void>();
      saves.push(save);
      return save.promise;
    },
  });
  return { clock, saves, saver };
}

/** Runs the callbacks of promises that are already resolved. */
const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

describe('a saver', () => {
  test('saves at most once a second', async () => {
    const { clock, saves, saver } = open();
    for (let change = 0; change < 50; change += 1) saver.changed();
    expect(saves).toHaveLength(0);
    clock.advance(saveIntervalMs);
    expect(saves).toHaveLength(1);
    saves[0]?.resolve();
    await flushPromises();
    clock.advance(10 * saveIntervalMs);
    expect(saves).toHaveLength(1);
    saver.changed();
    clock.advance(saveIntervalMs);
    expect(saves).toHaveLength(2);
  });

  test('never overlaps saves, and saves again after a change during a save', async () => {
    const { clock, saves, saver } = open();
    saver.changed();
    clock.advance(saveIntervalMs);
    saver.changed();
    clock.advance(5 * saveIntervalMs);
    expect(saves).toHaveLength(1);
    saves[0]?.resolve();
    await flushPromises();
    clock.advance(saveIntervalMs);
    expect(saves).toHaveLength(2);
  });

  test('does not wait for a save that was planned before the clock noticed a pause of the process', () => {
    const clock = createManualClock();
    let pausedMs = 0;
    const times = createSaveTimes({ ...clock, elapsed: () => clock.elapsed() + pausedMs });
    const saved: string[] = [];
    const add = (name: string): void => times.add({ onDue: () => saved.push(name) });
    add('before');
    pausedMs = 3_600_000;
    add('during');
    pausedMs = 0;
    add('after');
    clock.advance(2 * saveIntervalMs);
    expect(saved).toEqual(['before', 'during', 'after']);
  });

  test('saves again after a failed save', async () => {
    const { clock, saves, saver } = open();
    saver.changed();
    clock.advance(saveIntervalMs);
    saves[0]?.reject(new Error('disk full'));
    await flushPromises();
    clock.advance(saveIntervalMs);
    expect(saves).toHaveLength(2);
  });

  test('saves nothing after stop, which waits for the save in flight', async () => {
    const { clock, saves, saver } = open();
    saver.changed();
    clock.advance(saveIntervalMs);
    saver.changed();
    let isStopped = false;
    const stopped = saver.stop().then(() => (isStopped = true));
    await flushPromises();
    expect(isStopped).toBe(false);
    saves[0]?.resolve();
    await stopped;
    saver.changed();
    clock.advance(10 * saveIntervalMs);
    expect(saves).toHaveLength(1);
  });
});

const merge = (deltas: readonly string[]): string => deltas.join('');
const text: StreamShape<string, string> = {
  initial: '',
  apply: (state, delta) => state + delta,
  merge,
  createLog: (maxLength) => createDeltaLog(maxLength, merge),
};

test('a stream saves its progress, and no save overwrites its end', async () => {
  const clock = createManualClock();
  const streams = new Streams({ clock, logMs: 10 });
  const log: string[] = [];
  const saving = Promise.withResolvers<void>();
  const stream = streams.open<string, string, string>(text, 's', {
    async save(state, sequence) {
      log.push(`saving ${state} ${sequence}`);
      await saving.promise;
      log.push('saved');
    },
  });
  stream.append(['a', 'b']);
  clock.advance(saveIntervalMs);
  stream.append(['c']);
  const ended = stream.finish(async (state) => {
    log.push(`end ${state}`);
    return 'end';
  });
  await flushPromises();
  saving.resolve();
  await ended;
  clock.advance(10 * saveIntervalMs);
  expect(log).toEqual(['saving ab 2', 'saved', 'end abc']);
});

test('a stream reports a failed save and retries it', async () => {
  const clock = createManualClock();
  const failures: unknown[] = [];
  const streams = new Streams({
    clock,
    logMs: 10,
    onSaveFailed: (error, id) => failures.push([error, id]),
  });
  const error = new Error('disk full');
  let attempts = 0;
  const stream = streams.open<string, string, string>(text, 's', {
    async save() {
      attempts += 1;
      if (attempts === 1) throw error;
    },
  });
  stream.append(['a']);
  clock.advance(saveIntervalMs);
  await flushPromises();
  clock.advance(saveIntervalMs);
  expect([attempts, failures]).toEqual([2, [[error, 's']]]);
});
