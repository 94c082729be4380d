// JavaScript, because every Node that a test starts loads it.
import { appendFileSync } from 'node:fs';

const { MUTANT: active } = process.env;
/** @type {Set<string>} */
const reached = new Set();

/**
 * Whether the run has this fault. Notes that its place was reached.
 *
 * @param {string} id
 */
globalThis.isActiveMutant = (id) => {
  reached.add(id);
  return id === active;
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
