import { describe, expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import {
  createRecordedStream,
  endWaitMs,
  type RecordedStream,
  type RecordedStreamOptions,
} from '../../src/streams/recorded-stream.ts';
import { createDeltaLog } from '../../src/streams/delta-log.ts';
import type { StreamEvent, StreamShape } from '../../src/streams/shape.ts';
import { Streams } from '../../src/streams/streams.ts';
import { iterationsOf } from '../support/iterations.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRandom } from '../support/random.ts';

const merge = (deltas: readonly string[]): string => deltas.join('');
const text: StreamShape<string, string> = {
  initial: '',
  apply: (state, delta) => state + delta,
  merge,
  createLog: (maxLength) => createDeltaLog(maxLength, merge),
};
type Event = StreamEvent<string, string, string>;

function open(options: Partial<RecordedStreamOptions<string, string>> = {}) {
  const clock = createManualClock();
  let watchers = 0;
  const stream = createRecordedStream<string, string, string>({
    id: 's',
    shape: text,
    clock,
    log: text.createLog(1000),
    onWatchersChanged: (change) => void (watchers += change),
    ...options,
  });
  return { clock, stream, countWatchers: () => watchers };
}

async function readRest(events: AsyncIterable<Event>): Promise<readonly Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const commit = (end: string) => async (state: string, sequence: number) => `${end}:${state}:${sequence}`;

describe('a recorded stream', () => {
  test('gives a late watcher a snapshot, then deltas without a gap, then the end', async () => {
    const { stream } = open();
    stream.append(['a', 'b']);
    const watcher = stream.follow();
    expect((await watcher.next()).value).toEqual({ type: 'snapshot', sequence: 2, state: 'ab' });
    stream.append(['c']);
    stream.append(['d', 'e']);
    await stream.finish(commit('done'));
    expect(await readRest(watcher)).toEqual([
      { type: 'delta', fromSequence: 3, sequence: 5, delta: 'cde', state: 'abcde' },
      { type: 'end', sequence: 5, end: 'done:abcde:5', state: 'abcde' },
    ]);
  });

  test('sends a snapshot to a watcher whose position was evicted from the log', async () => {
    const { stream } = open({ log: text.createLog(4) });
    const slow = stream.follow();
    await slow.next();
    stream.append(['a', 'b', 'c', 'd']);
    const held = stream.follow({ after: 1 });
    expect((await held.next()).value).toMatchObject({
      type: 'delta',
      fromSequence: 2,
      sequence: 4,
      delta: 'bcd',
    });
    stream.append(['e']);
    // Half of the log is evicted; deltas 4 and 5 remain.
    expect((await slow.next()).value).toEqual({ type: 'snapshot', sequence: 5, state: 'abcde' });
    expect((await stream.follow({ after: 2 }).next()).value).toMatchObject({ type: 'snapshot' });
    expect((await stream.follow({ after: 3 }).next()).value).toMatchObject({
      type: 'delta',
      fromSequence: 4,
      delta: 'de',
    });
    expect((await held.next()).value).toMatchObject({ type: 'delta', fromSequence: 5, delta: 'e' });
  });

  test('is complete for every watcher with any log length and reader speed', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = createRandom(seed);
      const { stream } = open({ log: text.createLog(1 + Math.floor(random() * 12)) });
      const watchers = Array.from({ length: 4 }, (_, after) => ({
        events: stream.follow({ after: after === 0 ? undefined : after }),
        held: 'x'.repeat(after),
        sequence: after,
      }));
      const take = async (watcher: (typeof watchers)[number]): Promise<boolean> => {
        const { value } = await watcher.events.next();
        if (value?.type === 'snapshot') watcher.held = value.state;
        if (value?.type === 'delta') {
          if (value.fromSequence !== watcher.sequence + 1)
            throw new Error(`a gap before ${value.fromSequence}`);
          watcher.held += value.delta;
        }
        watcher.sequence = value?.sequence ?? watcher.sequence;
        return value !== undefined && value.type !== 'end';
      };
      stream.append(['x', 'x', 'x']);
      for (let round = 0; round < 40; round += 1) {
        stream.append(
          Array.from({ length: 1 + Math.floor(random() * 5) }, (_, place) => `${round}.${place} `),
        );
        for (const watcher of watchers)
          if (random() < 0.4 && watcher.sequence < stream.sequence) await take(watcher);
      }
      await stream.finish(commit('done'));
      for (const watcher of watchers) while (await take(watcher));
      expect(watchers.map(({ held }) => held)).toEqual(watchers.map(() => stream.state));
    }
  });

  test.each([
    [0, 'delta'],
    [2, 'end'],
    [3, 'snapshot'],
    [-1, 'snapshot'],
    [Number.MAX_SAFE_INTEGER, 'snapshot'],
  ])('that ended at sequence 2, followed after %i, starts with a %s', async (after, type) => {
    const { stream } = open();
    stream.append(['a', 'b']);
    await stream.finish(commit('done'));
    const events = await readRest(stream.follow({ after }));
    expect(events[0]?.type).toBe(type);
    expect(events.filter((event) => event.type === 'end')).toHaveLength(1);
  });

  test('keeps its first end and ignores later appends', async () => {
    const { stream } = open();
    stream.append(['a']);
    const ends = await Promise.all([
      stream.stop(new Error('x'), commit('stopped')),
      stream.finish(commit('finished')),
      stream.stop(new Error('y'), commit('again')),
    ]);
    stream.append(['b']);
    expect(ends).toEqual([true, false, false]);
    expect(await stream.ended).toBe('stopped:a:1');
    expect(stream).toMatchObject({ state: 'a', sequence: 1, end: 'stopped:a:1' });
    expect(stream.signal.reason).toEqual(new Error('x'));
  });

  test('sends the end to watchers only after it is recorded', async () => {
    const { stream } = open();
    const watcher = stream.follow();
    await watcher.next();
    const recorded = Promise.withResolvers<string>();
    const finishing = stream.finish(() => recorded.promise);
    let hasEnd = false;
    const next = watcher.next().then((result) => {
      hasEnd = true;
      return result;
    });
    await Promise.resolve();
    expect(hasEnd).toBe(false);
    expect(stream.end).toBeUndefined();
    recorded.resolve('end');
    await finishing;
    expect((await next).value).toMatchObject({ type: 'end', end: 'end' });
  });

  test('keeps what its end is recorded with: later deltas and resets are ignored', async () => {
    const { stream } = open();
    stream.append(['a']);
    const recorded = Promise.withResolvers<void>();
    const finishing = stream.finish(async (state, sequence) => {
      await recorded.promise;
      return `${state}:${sequence}`;
    });
    stream.append(['b']);
    stream.reset('c', 9);
    recorded.resolve();
    await finishing;
    expect(stream).toMatchObject({ state: 'a', sequence: 1, end: 'a:1' });
  });

  test('dismisses a watcher that was behind when the wait for the end was over, as soon as it has all deltas', async () => {
    const { stream, clock } = open();
    const { source } = stream.follow();
    source.open(() => {});
    source.take();
    stream.append(['a']);
    void stream.finish(() => Promise.withResolvers<string>().promise);
    clock.advance(endWaitMs);
    expect(source.take()).toMatchObject({ value: { type: 'delta', delta: 'a' }, isLatest: false });
    expect(() => source.take()).toThrow(RecordsUnavailableError);
  });

  test('does not abort its signal when its producer finishes it', async () => {
    const { stream } = open();
    await stream.finish(commit('done'));
    expect(stream.signal.aborted).toBe(false);
  });

  test('counts its watchers until they leave or the stream ends', async () => {
    const { stream, countWatchers } = open();
    const watchers = [stream.follow(), stream.follow(), stream.follow()] as const;
    expect(countWatchers()).toBe(0);
    for (const watcher of watchers) await watcher.next();
    expect([countWatchers(), stream.watchers]).toEqual([3, 3]);
    await watchers[0].return?.();
    await watchers[0].return?.();
    expect(countWatchers()).toBe(2);
    await stream.finish(commit('done'));
    await readRest(watchers[1]);
    await readRest(watchers[2]);
    expect([countWatchers(), stream.watchers]).toEqual([0, 0]);
  });
});

describe('a detachable stream', () => {
  const detaching = () => {
    let detached = 0;
    const opened = open({ detachMs: 100, onDetached: () => void (detached += 1) });
    return { ...opened, detached: () => detached };
  };

  test('is detached when it has no watcher for the detach time from its start', () => {
    const { clock, detached } = detaching();
    clock.advance(99);
    expect(detached()).toBe(0);
    clock.advance(1);
    expect(detached()).toBe(1);
  });

  test('stays attached until its last watcher leaves, then waits the full detach time', async () => {
    const { clock, detached, stream } = detaching();
    clock.advance(99);
    const watchers = [stream.follow(), stream.follow()] as const;
    for (const watcher of watchers) await watcher.next();
    clock.advance(1000);
    await watchers[0].return?.();
    clock.advance(1000);
    await watchers[1].return?.();
    clock.advance(99);
    expect(detached()).toBe(0);
    clock.advance(1);
    expect(detached()).toBe(1);
  });

  test('waits for the whole time again while a watcher may be unheard', () => {
    const clock = createManualClock();
    let heardSince: number | undefined;
    const streams = new Streams({ clock, logMs: 0, heardSince: () => heardSince });
    let detached = 0;
    streams.open(text, 's', { detachMs: 100, onDetached: () => void (detached += 1) });
    clock.advance(350);
    heardSince = clock.elapsed();
    clock.advance(149);
    expect(detached).toBe(0);
    clock.advance(1);
    expect(detached).toBe(1);
  });

  test('has no timer after it has ended or was discarded', async () => {
    const { clock, stream, detached } = detaching();
    const watcher = stream.follow();
    await watcher.next();
    await stream.finish(commit('done'));
    await watcher.return?.();
    const other = detaching();
    other.stream.discard();
    clock.advance(1000);
    other.clock.advance(1000);
    expect([detached(), other.detached()]).toEqual([0, 0]);
    expect([clock.pending(100), other.clock.pending(100)]).toEqual([0, 0]);
  });
});

describe('streams', () => {
  test('keep a finished log for exactly logMs', async () => {
    const clock = createManualClock();
    const streams = new Streams({ clock, logMs: 1000 });
    const stream = streams.open<string, string, string>(text, 'a');
    expect([streams.running, streams.find(text, 'a')]).toEqual([1, stream]);
    expect(streams.find({ ...text }, 'a')).toBeUndefined();
    await stream.finish(commit('done'));
    await clock.waitForTimer(1000);
    expect(streams.running).toBe(0);
    clock.advance(999);
    expect(streams.find(text, 'a')).toBe(stream);
    clock.advance(1);
    expect(streams.find(text, 'a')).toBeUndefined();
  });

  test('are drained when the last one has ended or was dropped', async () => {
    const streams = new Streams({ clock: createManualClock(), logMs: 1000 });
    const [first, second] = ['a', 'b'].map((id) => streams.open<string, string, string>(text, id));
    const drained = streams.waitUntilDrained();
    if (first) streams.drop(first, { end: 'refused', refusal: new Error('refused') });
    await second?.finish(commit('done'));
    await drained;
    expect(streams.running).toBe(0);
  });

  test('wake those that wait for one to open in turns', async () => {
    const streams = new Streams({ clock: createManualClock(), logMs: 1000 });
    const end = streams.announce('a');
    const waits = Array.from({ length: 5 }, async () => streams.nextChange('a'));
    expect(await iterationsOf(waits, end)).toBe(5);
  });

  test('are all interrupted even if one interrupt fails', async () => {
    const streams = new Streams({ clock: createManualClock(), logMs: 1000 });
    const failing = streams.open<string, string, string>(text, 'a', {
      interrupt: () => {
        throw new Error('cannot');
      },
    });
    const stream: RecordedStream<string, string, string> = streams.open(text, 'b', {
      interrupt: () => stream.stop(new Error('the process ends'), commit('interrupted')),
    });
    await streams.interruptAll();
    expect(stream.end).toBe('interrupted::0');
    expect(failing.end).toBeUndefined();
    streams.close();
  });
});
