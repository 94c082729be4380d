// JavaScript, because every Node that a test starts loads it.
import { appendFileSync } from 'node:fs';

const active = Number(process.env['MUTANT'] ?? -1);
/** @type {Set<number>} */
const reached = new Set();

/**
 * Whether the run has this fault. Notes that its place was reached.
 *
 * @param {number} number
 */
globalThis.isActiveMutant = (number) => {
  reached.add(number);
  return number === active;
};

/** What the process has reached since the last call. */
export function takeReached() {
  const mutants = [...reached];
  reached.clear();
  return mutants;
}

// Loaded with `--import` by processes that a test starts from source, such as the one that generates files.
const { MUTANT_COVERAGE: file, MUTANT_TEST: test } = process.env;
if (file !== undefined && test !== undefined)
  process.once('exit', () =>
    appendFileSync(file, `${JSON.stringify({ path: test, mutants: takeReached() })}\n`),
  );
