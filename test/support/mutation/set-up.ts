import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { takeReached } from './activate.js';
import type { Coverage } from './choose-tests.ts';
import { hashFile } from './hash-file.ts';

let path = '';
let startedAt = 0;
let hasPassed = true;

beforeAll(() => {
  // Without the places that loading modules reached: other files find them loaded.
  takeReached();
  path = relative(process.cwd(), expect.getState().testPath ?? '');
  process.env['MUTANT_TEST'] = path;
  startedAt = performance.now();
  hasPassed = true;
});

afterEach(({ task }) => {
  if (task.result?.state === 'fail') hasPassed = false;
});

afterAll(() => {
  delete process.env['MUTANT_TEST'];
  const file = process.env['MUTANT_COVERAGE'];
  if (file === undefined) return;
  const coverage: Coverage = {
    path,
    hash: hashFile(path),
    elapsedMs: Math.round(performance.now() - startedAt),
    hasPassed,
    mutants: takeReached(),
    sample: process.env['MUTANT_SAMPLE'] ?? '',
  };
  appendFileSync(file, `${JSON.stringify(coverage)}\n`);
});
