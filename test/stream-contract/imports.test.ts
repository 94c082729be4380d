import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = import.meta.dirname;
/** What knows nothing of the product: the program that tests any installation, and helpers of other tests. */
const isShared = (path: string): boolean =>
  path.startsWith('../../src/contract/clients/') || /^\.\.\/support\/(inbox|random|seeds)\.ts$/.test(path);

test('the suite imports nothing of the product: only its set-ups know how to start it', () => {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.startsWith('set-ups') && !path.endsWith('.test.ts'),
  );
  const outside = paths.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/from '(\.[^']+)'/g)]
      .map(([, target = '']) => relative(root, resolve(root, path, '..', target)))
      .filter((target) => target.startsWith('..') && !isShared(target)),
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(outside).toEqual([]);
});
