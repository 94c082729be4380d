import { expect, test } from 'vitest';
import { createTokenRegistry } from '../../../src/sandbox/access/tokens.ts';

test('the least recently used tokens are evicted beyond 64 MB, but never the built-in one', () => {
  const registry = createTokenRegistry({ builtInKey: 'sk-built-in', clock: Date.now, random: Math.random });
  const create = () =>
    registry.create({
      name: 'large',
      remainQuota: 1n,
      expiresAtSeconds: undefined,
      isUnlimited: false,
      models: undefined,
      allowedIps: undefined,
      groups: ['default'],
      sizeBytes: 20 * 1024 * 1024,
    });
  const [first, second, third] = [create(), create(), create()];
  expect(registry.find(first.key)).toBe(first);
  const last = create();
  expect(registry.find(second.key)).toBeUndefined();
  for (const token of [first, third, last]) expect(registry.find(token.key)).toBe(token);
  expect(registry.find('sk-built-in')).toMatchObject({ name: 'sandbox' });
  expect(new Set([first, second, third, last].map(({ id }) => id)).size).toBe(4);
});
