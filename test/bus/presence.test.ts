import { expect, test } from 'vitest';
import type { InstanceState } from '../../src/bus/postgres/messages-table.ts';
import { createPresence } from '../../src/bus/postgres/presence.ts';

const connected: InstanceState = { id: 'other', expires_at: '1', is_connected: true, needs_lock: true };
const absent = { ...connected, is_connected: false };

/** Checks once a second. Returns when the instance was found dead, in seconds after the first check. */
function findDeath(presence: ReturnType<typeof createPresence>, state: (second: number) => InstanceState) {
  for (let second = 0; second < 60; second += 1)
    if (presence.check([state(second)], second * 1000).length > 0) return second;
  return undefined;
}

test('an instance that needs its lock is dead after three checks without the lock', () => {
  expect(findDeath(createPresence('self'), () => absent)).toBe(3);
  expect(findDeath(createPresence('self'), (second) => (second < 5 ? connected : absent))).toBe(8);
  expect(findDeath(createPresence('other'), () => absent)).toBeUndefined();
});

test('an instance that renews its lease without its lock is alive', () => {
  const renews = (second: number) => ({ ...absent, expires_at: String(Math.floor(second / 2)) });
  expect(findDeath(createPresence('self'), renews)).toBeUndefined();
});

test('an instance that does not need its lock, of an older version, is alive however long it has none', () => {
  expect(findDeath(createPresence('self'), () => ({ ...absent, needs_lock: false }))).toBeUndefined();
});

test('after the own session was lost, the others have ten seconds to connect again, and then 2.5 seconds as before', () => {
  const presence = createPresence('self');
  presence.check([connected], 0);
  presence.reset();
  expect(findDeath(presence, (second) => (second < 9 ? absent : connected))).toBeUndefined();
  presence.reset();
  expect(findDeath(presence, () => absent)).toBe(10);
  presence.reset();
  expect(findDeath(presence, (second) => (second === 2 ? connected : absent))).toBe(6);
});
