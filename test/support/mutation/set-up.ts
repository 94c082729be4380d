import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Coverage } from './choose-tests.ts';
import { hashFile } from './hash-file.ts';

declare global {
  /** Whether the run has this fault. Notes that its place was reached. */
  var isActiveMutant: ((number: number) => boolean) | undefined;
}

const active = Number(process.env['MUTANT'] ?? -1);
const reached = new Set<number>();
let startedAt = 0;
let hasPassed = true;

globalThis.isActiveMutant = (number) => {
  reached.add(number);
  return number === active;
};

beforeAll(() => {
  // Without the places that loading modules reached: other files find them loaded.
  reached.clear();
  startedAt = performance.now();
  hasPassed = true;
});

afterEach(({ task }) => {
  if (task.result?.state === 'fail') hasPassed = false;
});

afterAll(() => {
  const file = process.env['MUTANT_COVERAGE'];
  const { testPath } = expect.getState();
  if (file === undefined || testPath === undefined) return;
  const coverage: Coverage = {
    path: relative(process.cwd(), testPath),
    hash: hashFile(testPath),
    elapsedMs: Math.round(performance.now() - startedAt),
    hasPassed,
    mutants: [...reached],
  };
  appendFileSync(file, `${JSON.stringify(coverage)}\n`);
});
