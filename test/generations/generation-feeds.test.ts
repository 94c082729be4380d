import { describe, expect, onTestFinished, test } from 'vitest';
import type { Bus } from '../../src/bus/bus.ts';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import { ChangeLog, type Watcher } from '../../src/generations/change-log.ts';
import {
  createGenerationFeeds,
  type FeedOptions,
  type GenerationChange,
  type GenerationFeedsOptions,
} from '../../src/generations/generation-feeds.ts';
import { publishChanges } from '../../src/generations/publish-changes.ts';
import { createGenerationWatch } from '../../src/generations/watch-generation.ts';
import type { ChangePosition } from '../../src/store/changes.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { buildCreation, buildGeneration, owner, record } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';

interface Reset {
  readonly reset: ChangePosition;
}

async function open() {
  const bus = createInProcessBus();
  const clock = createManualClock();
  const records = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => records.close());
  return { bus, clock, records, store: publishChanges(records, bus) };
}

/** Feeds over a store that counts its reads. */
function openFeeds(
  parts: { readonly bus: Bus; readonly store: Store; readonly clock: GenerationFeedsOptions['clock'] },
  maxBehind?: number,
) {
  const reads = { changes: 0, summaries: 0 };
  const store: Store = {
    ...parts.store,
    listChanges(...args) {
      reads.changes += 1;
      return parts.store.listChanges(...args);
    },
    findSummaries(...args) {
      reads.summaries += 1;
      return parts.store.findSummaries(...args);
    },
  };
  const feeds = createGenerationFeeds({ ...parts, store, maxBehind });
  const watch = (after: ChangePosition, options: Partial<FeedOptions<GenerationChange | Reset>> = {}) =>
    feeds.watch<GenerationChange | Reset>({
      owner,
      after,
      toEvent: ({ ...change }) => change,
      toReset: (position) => ({ reset: position }),
      ...options,
    });
  return { feeds, reads, watch };
}

/** Changes a generation again that has ended. */
const end = { status: 'SUCCEEDED', finishedAt: 3000, output: { type: 'chat-completion' } } as const;

function isOf(event: GenerationChange | Reset | undefined, id: string): boolean {
  return event !== undefined && 'id' in event && event.id === id;
}

async function nextOf<Event>(feed: AsyncIterator<Event>): Promise<Event> {
  const { value, done } = await feed.next();
  if (done) throw new Error('the feed has ended');
  return value;
}

describe('the changes for a slow reader', () => {
  test('coalesce to the last one of each generation, and a removal is not lost', async () => {
    const parts = await open();
    const { store } = parts;
    const [kept, removed] = [
      await record(store, { status: 'RUNNING', finishedAt: undefined, taskId: 'task_1' }),
      await record(store),
    ];
    const { watch } = openFeeds(parts);
    const changes = watch(await store.findLastChange(owner));
    const first = changes.next();
    for (let turn = 0; turn < 100; turn += 1) {
      await store.endGeneration(kept.id, end);
      await store.endGeneration(removed.id, end);
    }
    await store.deleteGenerations(owner, [removed.id]);
    const events = [(await first).value];
    while (!isOf(events.at(-1), removed.id)) events.push(await nextOf(changes));
    expect(events.length).toBeLessThan(5);
    expect(events.findLast((event) => isOf(event, kept.id))).toMatchObject({
      generation: { status: 'SUCCEEDED' },
    });
    expect(events.at(-1)).toMatchObject({ generation: undefined });
    const next = changes.next();
    await changes.return?.();
    expect((await next).done).toBe(true);
  });

  test('include the release of a visible generation, not of an invisible one', async () => {
    const parts = await open();
    const { store } = parts;
    const [seen, unseen] = [buildGeneration(), buildGeneration({ isVisible: false })];
    const changes = openFeeds(parts).watch(await store.findLastChange(owner));
    const first = changes.next();
    for (const generation of [unseen, seen]) {
      const creation = buildCreation(generation.id);
      await store.claim(creation, generation);
      await store.release(creation.id);
    }
    expect((await first).value).toMatchObject({ id: seen.id, generation: undefined });
    await changes.return?.();
  });

  test('are read once for all watchers with the same key', async () => {
    const parts = await open();
    const { bus, store } = parts;
    const generation = await record(store);
    const { feeds, reads, watch } = openFeeds(parts);
    const last = await store.findLastChange(owner);
    const watching = Array.from({ length: 3 }, () => watch(last, { key: 'all' }).next());
    expect(bus.subscriptions + feeds.sharing).toBe(3);
    await new Promise((resolve) => setImmediate(resolve));
    await store.endGeneration(generation.id, end);
    const [first, ...others] = (await Promise.all(watching)).map(({ value }) => value);
    expect(first).toMatchObject({ id: generation.id });
    for (const other of others) expect(other).toBe(first);
    expect(reads).toEqual({ changes: 1, summaries: 1 });
  });

  test('are replaced by a reset for the watcher that is too far behind, and no other', async () => {
    const parts = await open();
    const { bus, store } = parts;
    const generations = [await record(store), await record(store)];
    const { watch } = openFeeds(parts, 10);
    const last = await store.findLastChange(owner);
    const [slow, current] = [watch(last), watch(last)];
    const first = slow.next();
    for (let change = 0; change < 14; change += 1) {
      const next = current.next();
      await store.endGeneration(generations[change % 2]?.id ?? '', end);
      expect(await next).toMatchObject({ value: { id: generations[change % 2]?.id } });
    }
    await first;
    expect(await nextOf(slow)).toEqual({ reset: await store.findLastChange(owner) });
    const next = slow.next();
    await store.endGeneration(generations[0]?.id ?? '', end);
    expect(await next).toMatchObject({ value: { id: generations[0]?.id } });
    for (const feed of [slow, current]) await feed.return?.();
    expect(bus.subscriptions).toBe(0);
  });
});

describe('a feed after a position', () => {
  test('begins with the last change of each generation since then, and continues with new ones', async () => {
    const parts = await open();
    const { store } = parts;
    const [unchanged, changed, removed] = [await record(store), await record(store), await record(store)];
    const after = await store.findLastChange(owner);
    for (let turn = 0; turn < 3; turn += 1) {
      await store.endGeneration(changed.id, end);
      await store.endGeneration(removed.id, end);
    }
    await store.deleteGenerations(owner, [removed.id]);
    const { watch, reads } = openFeeds(parts);
    const feed = watch(after);
    expect(await nextOf(feed)).toMatchObject({ id: changed.id });
    expect(await nextOf(feed)).toMatchObject({ id: removed.id, generation: undefined });
    const next = feed.next();
    await store.endGeneration(unchanged.id, end);
    expect(await next).toMatchObject({ value: { id: unchanged.id } });
    expect(reads.summaries).toBe(2);
    await feed.return?.();
  });

  test('continues after each of its events, without a gap and each once', async () => {
    const parts = await open();
    const { store } = parts;
    const generations = [];
    for (let count = 0; count < 20; count += 1) generations.push(await record(store));
    const { watch } = openFeeds(parts);
    let after: ChangePosition = { number: 0, mark: 0 };
    const ids: string[] = [];
    for (const _generation of generations) {
      const feed = watch(after);
      const event = await nextOf(feed);
      await feed.return?.();
      if ('reset' in event) throw new Error('reset');
      ids.push(event.id);
      after = event.position;
    }
    expect(ids).toEqual(generations.map(({ id }) => id));
  });

  test.each([
    [
      'of another owner',
      async (store: Store) => (await record(store, { owner: 'x' }), store.findLastChange('x')),
    ],
    ['with another mark', async (store: Store) => ({ ...(await store.findLastChange(owner)), mark: 1 })],
    ['before the first change, with a mark', async () => ({ number: 0, mark: 1 })],
    [
      'of newer records',
      async (store: Store) => ({ number: (await store.findLastChange(owner)).number + 1, mark: 1 }),
    ],
    [
      'of deleted changes',
      async (store: Store) => {
        const first = await store.findLastChange(owner);
        await record(store);
        const sweep = { keysBefore: 0, canRead: () => true, followedAfter: 0, limit: 100 };
        await store.sweep({ ...sweep, changesBefore: Date.now() + 60_000 });
        await record(store);
        return first;
      },
    ],
    [
      'that is too far behind',
      async (store: Store) => {
        const first = await store.findLastChange(owner);
        for (let change = 0; change < 11; change += 1) await record(store);
        return first;
      },
    ],
  ])('%s begins with a reset, once', async (_title, find) => {
    const parts = await open();
    const { store } = parts;
    const { id } = await record(store);
    const position = await find(store);
    const { watch } = openFeeds(parts, 10);
    const feed = watch(position);
    expect(await nextOf(feed)).toEqual({ reset: await store.findLastChange(owner) });
    const next = feed.next();
    await store.endGeneration(id, end);
    expect(await next).toMatchObject({ value: { id } });
    await feed.return?.();
  });

  test('knows the last change also after it was deleted by its age', async () => {
    const parts = await open();
    const { store } = parts;
    const { id } = await record(store);
    const last = await store.findLastChange(owner);
    await store.sweep({
      keysBefore: 0,
      canRead: () => true,
      followedAfter: 0,
      limit: 100,
      changesBefore: Date.now() + 60_000,
    });
    const feed = openFeeds(parts).watch(last);
    const next = feed.next();
    await new Promise((resolve) => setImmediate(resolve));
    await store.endGeneration(id, end);
    expect(await next).toMatchObject({ value: { id } });
    await feed.return?.();
  });

  test('begins with a reset where this instance has seen a history that others replaced', async () => {
    const parts = await open();
    const { store, bus } = parts;
    const { id } = await record(store);
    const last = await store.findLastChange(owner);
    let isReplaced = false;
    const replaced: Store = {
      ...store,
      findLastChange: async (name) => (isReplaced ? { number: 1, mark: 7 } : store.findLastChange(name)),
      listChanges: async (name, page) => (isReplaced ? [] : store.listChanges(name, page)),
    };
    const feed = openFeeds({ ...parts, store: replaced }).watch(last);
    const next = feed.next();
    await new Promise((resolve) => setImmediate(resolve));
    isReplaced = true;
    bus.publish(`generations ${owner}`, id);
    expect(await next).toMatchObject({ value: { reset: { number: 1, mark: 7 } } });
    await feed.return?.();
  });

  test('is reset by new changes of which one is missing', async () => {
    const { records, ...parts } = await open();
    const first = await record(records);
    const last = await records.findLastChange(owner);
    const listChanges: Store['listChanges'] = async (name, page) =>
      (await records.listChanges(name, page)).filter(({ number }) => number !== last.number + 2);
    const feed = openFeeds({ ...parts, store: { ...records, listChanges } }).watch(last);
    const next = feed.next();
    await new Promise((resolve) => setImmediate(resolve));
    for (let count = 0; count < 3; count += 1) await record(records);
    parts.bus.publish(`generations ${owner}`, first.id);
    expect(await next).toMatchObject({ value: { reset: { number: last.number + 3 } } });
    await feed.return?.();
  });

  test('shares its reads with the feeds that begin at the same time', async () => {
    const parts = await open();
    const { store } = parts;
    await record(store, { owner });
    const early = await store.findLastChange(owner);
    for (let count = 0; count < 40; count += 1) await record(store);
    const { watch, reads } = openFeeds(parts);
    const feeds = Array.from({ length: 100 }, (_none, index) =>
      watch(index % 2 ? early : { number: 0, mark: 0 }, { key: 'all' }),
    );
    const seen = await Promise.all(
      feeds.map(async (feed) => {
        const ids = new Set<unknown>();
        while (ids.size < 40) ids.add(await nextOf(feed));
        return ids;
      }),
    );
    expect(seen).toHaveLength(100);
    expect(reads.changes).toBe(1);
    // One for those that begin at the same change, at most.
    expect(reads.summaries).toBeLessThanOrEqual(2);
    for (const feed of feeds) await feed.return?.();
  });

  test('waits for records that cannot be read, and then continues', async () => {
    const parts = await open();
    const { store, clock } = parts;
    const { id } = await record(store);
    let isAway = false;
    const failing: Store = {
      ...store,
      listChanges: (...args) => (isAway ? Promise.reject(new Error('away')) : store.listChanges(...args)),
    };
    const feed = openFeeds({ ...parts, store: failing }).watch(await store.findLastChange(owner));
    const next = feed.next();
    await new Promise((resolve) => setImmediate(resolve));
    isAway = true;
    await store.endGeneration(id, end);
    await clock.waitForTimer(1000);
    isAway = false;
    clock.advance(1000);
    expect(await next).toMatchObject({ value: { id } });
    await feed.return?.();
  });
});

describe('the watch of one generation', () => {
  test('wakes with its changes only, and reads once for all', async () => {
    const { bus, store } = await open();
    const [one, two] = [await record(store), await record(store)];
    let reads = 0;
    const watch = createGenerationWatch({
      bus,
      store: {
        findSummaries(...args) {
          reads += 1;
          return store.findSummaries(...args);
        },
      },
    });
    const feeds = [1, 2].map(() => watch.watch({ owner, id: two.id }, () => true));
    const next = feeds.map((feed) => feed.next());
    expect(bus.subscriptions + watch.sharing).toBe(2);
    bus.publish(`generations ${owner}`, one.id);
    bus.publish(`generations ${owner}`, two.id);
    for (const { value } of await Promise.all(next)) expect(value?.generation?.id).toBe(two.id);
    expect(reads).toBe(1);
    for (const feed of feeds) await feed.return?.();
    expect(bus.subscriptions + watch.sharing).toBe(0);
  });
});

test('many watchers of an owner wake in several iterations of the event loop, without those that have left', async () => {
  const { records } = await open();
  const woken: number[] = [];
  const perIteration: number[] = [];
  let current = 0;
  const log = new ChangeLog({ store: records, owner, retry: () => () => {}, onEmpty: () => {} });
  const watchers: Watcher[] = [];
  const wakeOf = (index: number) => () => {
    if (current === 0)
      setImmediate(() => {
        perIteration.push(current);
        current = 0;
      });
    current += 1;
    woken.push(index);
    // The last watchers leave while the first ones wake.
    if (index === 0 && watchers.length === 1200) for (const last of watchers.slice(1100)) log.remove(last);
  };
  for (let index = 0; index < 1200; index += 1) watchers.push(log.add({ number: 0, mark: 0 }, wakeOf(index)));
  await expect.poll(() => perIteration.reduce((sum, count) => sum + count, 0)).toBe(1200);
  woken.length = perIteration.length = 0;
  await record(records);
  log.look();
  await expect.poll(() => woken.length).toBe(1100);
  await expect.poll(() => perIteration).toEqual([500, 500, 100]);
  expect(woken).toEqual(Array.from({ length: 1100 }, (_none, index) => index));
});
