import { describe, expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { createReadiness } from '../../src/store/sql/basics/readiness.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** Probes that the test answers. */
function open(readFreeBytes?: () => Promise<number>) {
  const clock = createManualClock();
  const probes: PromiseWithResolvers<void>[] = [];
  const probeWrite = (): Promise<void> => {
    const probe = Promise.withResolvers<void>();
    probes.push(probe);
    return probe.promise;
  };
  const readiness = createReadiness({ clock, probeWrite, readFreeBytes });
  /** Asks, and answers the probe that this started. */
  const ask = async (answer: (probe: PromiseWithResolvers<void>) => void): Promise<boolean> => {
    const isReady = readiness.isReady();
    const probe = probes.at(-1);
    if (probe) answer(probe);
    return isReady;
  };
  return { clock, probes, readiness, ask };
}

describe('readiness', () => {
  test('asks the records once in three seconds', async () => {
    const { clock, probes, readiness, ask } = open();
    expect(await ask((probe) => probe.resolve())).toBe(true);
    clock.advance(2999);
    expect(await readiness.isReady()).toBe(true);
    expect(probes).toHaveLength(1);
    clock.advance(1);
    expect(await ask((probe) => probe.reject(new Error('no disk')))).toBe(false);
    expect(await readiness.isReady()).toBe(false);
    expect(probes).toHaveLength(2);
  });

  test('starts no second probe while one waits, and is not ready after 800 ms', async () => {
    const { clock, probes, readiness } = open();
    const first = readiness.isReady();
    clock.advance(800);
    expect(await first).toBe(false);
    clock.advance(60_000);
    expect(await readiness.isReady()).toBe(false);
    expect(probes).toHaveLength(1);
    for (const probe of probes) probe.resolve();
    await probes[0]?.promise;
  });

  test('is lost for 30 seconds when a write finds the disk full, or until one succeeds', async () => {
    const { clock, probes, readiness, ask } = open();
    const full = new RecordsUnavailableError('full', { isDiskFault: true });
    await expect(readiness.watch(() => Promise.reject(full))).rejects.toBe(full);
    clock.advance(29_999);
    expect(await readiness.isReady()).toBe(false);
    expect(probes).toHaveLength(0);
    await readiness.watch(() => Promise.resolve());
    expect(await ask((probe) => probe.resolve())).toBe(true);
  });

  test('comes back within three seconds when a full disk has got much more room', async () => {
    const free = [0, 10 * 2 ** 20, 100 * 2 ** 20];
    const { clock, probes, readiness } = open(() => Promise.resolve(free.shift() ?? 0));
    const full = new RecordsUnavailableError('full', { isDiskFault: true });
    await expect(readiness.watch(() => Promise.reject(full))).rejects.toBe(full);
    expect(await readiness.isReady()).toBe(false);
    clock.advance(3000);
    expect(await readiness.isReady()).toBe(false);
    expect(probes).toHaveLength(0);
    clock.advance(3000);
    const ready = readiness.isReady();
    await expect.poll(() => probes).toHaveLength(1);
    probes[0]?.resolve();
    expect(await ready).toBe(true);
  });

  test.each([
    ['cannot be read', () => Promise.reject(new Error('no disk'))],
    ['is that of another limit', () => Promise.resolve(2 ** 40)],
  ])('stays away for 30 seconds if the room of a full disk %s', async (_what, readFree) => {
    const { clock, probes, readiness, ask } = open(readFree);
    const full = new RecordsUnavailableError('full', { isDiskFault: true });
    await expect(readiness.watch(() => Promise.reject(full))).rejects.toBe(full);
    clock.advance(29_999);
    expect(await readiness.isReady()).toBe(false);
    expect(probes).toHaveLength(0);
    clock.advance(1);
    expect(await ask((probe) => probe.resolve())).toBe(true);
  });

  test('ends with the store', async () => {
    const { readiness, ask } = open();
    await ask((probe) => probe.resolve());
    readiness.close();
    expect(await readiness.isReady()).toBe(false);
  });
});
