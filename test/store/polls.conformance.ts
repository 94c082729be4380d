import { expect, test } from 'vitest';
import { noneAbandoned, owner } from './support.ts';
import type { Backend } from './store.conformance.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { sharingOf } from '../support/sharing.ts';

const leaseMs = 10_000;
const target = { owner, round: 'music' };
const failure = { code: 'RATE_LIMITED', message: 'slow down', retryAfterSeconds: 5 };

/** Who shares polls. */
export function pollConformance(backend: Backend): void {
  async function openPair() {
    const location = await backend.createLocation();
    const clock = createManualClock();
    const [first, second] = [
      await location.open({ clock, leaseMs }),
      await location.open({ clock, leaseMs }),
    ];
    return { location, clock, first, second };
  }

  test('an instance that is alone needs no lease', async () => {
    const location = await backend.createLocation();
    const alone = await location.open({ clock: createManualClock() });
    expect(await sharingOf(alone).polls.findResponsive()).toEqual([]);
    expect(await sharingOf(alone).polls.claim(target)).toBeUndefined();
    expect(await sharingOf(alone).polls.findPolled(owner, ['task_1'])).toEqual([undefined]);
  });

  test('one of two instances holds the lease until it releases it', async () => {
    const { first, second } = await openPair();
    expect(await sharingOf(second).polls.find(target)).toBeUndefined();
    expect(await sharingOf(first).polls.claim(target)).toEqual({ holder: first.instanceId, tasks: [] });
    expect(await sharingOf(second).polls.find(target)).toEqual({ holder: first.instanceId, tasks: [] });
    expect(await sharingOf(second).polls.claim(target)).toEqual({ holder: first.instanceId, tasks: [] });
    expect(await sharingOf(second).polls.claim({ owner, round: 'other' })).toMatchObject({
      holder: second.instanceId,
    });
    await sharingOf(second).polls.release(target);
    expect(await sharingOf(second).polls.claim(target)).toMatchObject({ holder: first.instanceId });
    expect(await sharingOf(second).polls.findOwners([first.instanceId])).toEqual([owner]);
    await sharingOf(first).polls.release(target);
    expect(await sharingOf(second).polls.claim(target)).toMatchObject({ holder: second.instanceId });
  });

  test('one of two instances that claim at the same time gets the lease', async () => {
    const { first, second } = await openPair();
    for (let count = 0; count < 20; count += 1) {
      const same = { owner, round: `task_${count}` };
      const claims = await Promise.all([
        sharingOf(first).polls.claim(same),
        sharingOf(second).polls.claim(same),
      ]);
      expect(claims[0]?.holder).toBe(claims[1]?.holder);
    }
  });

  test('the lease of a dead instance is taken once, and the lease of a stalled one on request', async () => {
    const { location, clock, first, second } = await openPair();
    const third = await location.open({ clock, leaseMs });
    await sharingOf(first).polls.claim(target);
    await second.findOrphans();
    await third.findOrphans();
    // An instance that missed its own renewals does not judge others.
    for (const step of [leaseMs / 4, leaseMs / 4, leaseMs / 4, leaseMs / 4 - 1]) {
      clock.advance(step);
      await sharingOf(second).renewLease();
      await sharingOf(third).renewLease();
    }
    expect(await sharingOf(second).polls.claim(target)).toMatchObject({ holder: first.instanceId });
    clock.advance(1001);
    expect(await sharingOf(second).polls.claim(target)).toMatchObject({ holder: second.instanceId });
    expect(await sharingOf(third).polls.claim(target)).toMatchObject({ holder: second.instanceId });
    // The dead instance was only slow.
    await sharingOf(first).renewLease();
    expect(await sharingOf(first).polls.claim(target)).toMatchObject({ holder: second.instanceId });
    expect(await sharingOf(third).polls.claim(target, first.instanceId)).toMatchObject({
      holder: second.instanceId,
    });
    expect(await sharingOf(third).polls.claim(target, second.instanceId)).toMatchObject({
      holder: third.instanceId,
    });
  });

  test('instances see what the others want to be polled and what was read', async () => {
    const { clock, first, second } = await openPair();
    const followedUntil = clock.now() + 3_600_000;
    await sharingOf(first).polls.claim(target);
    await sharingOf(first).polls.saveRequests(target, [{ id: 'task_1', isWatched: false, followedUntil }]);
    await sharingOf(second).polls.saveRequests(target, [
      { id: 'task_1', isWatched: false, followedUntil: followedUntil - 1 },
      { id: 'task_2', isWatched: true },
    ]);
    const tasks = async () => {
      const { tasks: found = [] } = (await sharingOf(first).polls.claim(target)) ?? {};
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    };
    const unread = { isFresh: false, readBy: undefined, lastReadAt: undefined, readFailure: undefined };
    const [one, two] = [
      { id: 'task_1', isWatched: false, followedUntil, ...unread },
      { id: 'task_2', isWatched: true, followedUntil: undefined, ...unread },
    ];
    expect(await tasks()).toEqual([one, two]);
    await sharingOf(first).polls.saveReadings(target, [
      { id: 'task_1', lastReadAt: clock.now(), freshMs: 5000 },
      { id: 'task_2', readFailure: failure, freshMs: 5000 },
      { id: 'task_3', lastReadAt: clock.now(), freshMs: 0 },
    ]);
    const read = { isFresh: true, readBy: first.instanceId };
    const [freshOne, freshTwo] = [
      { ...one, ...read, lastReadAt: clock.now() },
      { ...two, ...read, readFailure: failure },
    ];
    expect(await sharingOf(second).polls.findPolled(owner, ['task_2', 'unknown', 'task_1'])).toEqual([
      freshTwo,
      undefined,
      freshOne,
    ]);
    expect(await sharingOf(second).polls.findPolled('another', ['task_1'])).toEqual([undefined]);
    clock.advance(5000);
    // A failed read keeps the time of the last successful one.
    await sharingOf(first).polls.saveReadings(target, [{ id: 'task_1', readFailure: failure, freshMs: 0 }]);
    expect((await tasks())[0]).toMatchObject({
      isFresh: false,
      lastReadAt: clock.now() - 5000,
      readFailure: failure,
    });
    await sharingOf(first).polls.endFollowing(owner, ['task_1']);
    await sharingOf(first).polls.saveReadings(target, [{ id: 'task_2', freshMs: 0, isOver: true }]);
    expect((await tasks()).map(({ id, followedUntil: until }) => [id, until])).toEqual([
      ['task_1', undefined],
      ['task_3', undefined],
    ]);
  });

  test('a request expires, and the sweep deletes tasks that nobody polls', async () => {
    const { clock, first, second } = await openPair();
    await sharingOf(second).polls.claim(target);
    await sharingOf(first).polls.saveRequests(target, [
      { id: 'task_1', isWatched: true },
      { id: 'task_2', isWatched: false, followedUntil: clock.now() + 60_000 },
    ]);
    const expiry = { ...noneAbandoned, keysBefore: 0, limit: 10 };
    expect(await first.sweep(expiry)).toMatchObject({ deleted: 0 });
    clock.advance(30_000);
    await sharingOf(first).renewLease();
    await sharingOf(second).renewLease();
    const { tasks = [] } = (await sharingOf(second).polls.claim(target)) ?? {};
    expect(tasks.map(({ isWatched }) => isWatched)).toEqual([false, false]);
    expect(await first.sweep(expiry)).toMatchObject({ deleted: 1 });
    clock.advance(30_000);
    expect(await first.sweep(expiry)).toMatchObject({ deleted: 1 });
  });

  test('the sweep deletes old leases of dead instances only', async () => {
    const { location, clock, first, second } = await openPair();
    await sharingOf(first).polls.claim(target);
    await sharingOf(second).polls.claim({ owner, round: 'theirs' });
    await first.close();
    const third = await location.open({ clock, leaseMs });
    await third.sweep({ ...noneAbandoned, keysBefore: 0, limit: 10 });
    expect(await sharingOf(third).polls.findOwners([first.instanceId])).toEqual([owner]);
    clock.advance(86_400_001);
    await third.sweep({ ...noneAbandoned, keysBefore: 0, limit: 10 });
    expect(await sharingOf(third).polls.findOwners([first.instanceId])).toEqual([]);
    expect(await sharingOf(third).polls.findOwners([second.instanceId])).toEqual([owner]);
  });
}
