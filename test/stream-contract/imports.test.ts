import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = import.meta.dirname;
/** What the suite shares with other tests: helpers that know nothing of the product. */
const shared = ['../support/inbox.ts', '../support/random.ts'];

test('the suite imports nothing of the product: only its set-ups know how to start it', () => {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.startsWith('set-ups') && !path.endsWith('.test.ts'),
  );
  const outside = paths.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/from '(\.[^']+)'/g)]
      .map(([, target = '']) => relative(root, resolve(root, path, '..', target)))
      .filter((target) => target.startsWith('..') && !shared.includes(target)),
  );
  expect(paths.length).toBeGreaterThan(15);
  expect(outside).toEqual([]);
});
