import { expect, test } from 'vitest';
import { createLeaseTrust } from '../../src/store/sql/instances/lease-trust.ts';

/** Renews its own lease of a second every 250 ms. */
function createServer() {
  let now = 0;
  const trust = createLeaseTrust({ leaseMs: 1000, elapsed: () => now });
  return {
    isOverdue: trust.isOverdue,
    renewUntil(time: number) {
      for (now += 250; now <= time; now += 250) trust.onRenewed();
      now = time;
    },
    pauseUntil(time: number) {
      now = time;
    },
  };
}

test('a server that could renew its own lease for the time of a lease believes that another has expired', () => {
  const server = createServer();
  server.renewUntil(750);
  expect(server.isOverdue(true)).toBe(false);
  server.renewUntil(1000);
  expect([server.isOverdue(true), server.isOverdue(false)]).toEqual([true, false]);
});

test('after half a lease without a renewal, it believes so a whole lease after the next one', () => {
  const server = createServer();
  server.renewUntil(1000);
  server.pauseUntil(1499);
  expect(server.isOverdue(true)).toBe(true);
  server.pauseUntil(1500);
  expect(server.isOverdue(true)).toBe(false);
  server.renewUntil(2500);
  expect(server.isOverdue(true)).toBe(false);
  server.renewUntil(2750);
  expect(server.isOverdue(true)).toBe(true);
});
