import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestContext } from 'vitest';

/** The folder of these tests, whose frameworks have an install of their own. */
export const frontends = resolve(import.meta.dirname, '..');
export const frameworkModules = resolve(frontends, 'node_modules');

export const hasFrameworks = existsSync(resolve(frameworkModules, '.package-lock.json'));

/** Skips a test that needs the frameworks where they are not installed. */
export function skipWithoutFrameworks({ skip }: Pick<TestContext, 'skip'>): void {
  skip(!hasFrameworks, 'no front-end frameworks: run `npm ci --prefix test/frontends`');
}

/** How often each cell of a matrix runs. `npm run test:frontends` runs all of them many times. */
export const frontendRuns = Number(process.env['FRONTEND_RUNS'] ?? 1);
