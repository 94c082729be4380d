// JavaScript, because every Node that a test starts loads it.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { MUTANT: active, MUTANT_COVERAGE: file, MUTANT_TEST: test } = process.env;
/** @type {Set<string>} */
const reached = new Set();

/**
 * Whether the run has this fault. Notes that its place was reached.
 *
 * @param {string} id
 */
globalThis.isActiveMutant = (id) => {
  const isNew = !reached.has(id);
  reached.add(id);
  // The end of a thread that is terminated runs nothing in it.
  if (isNew && !isMainThread) note([id]);
  return id === active;
};

/** What the process has reached since the last call. */
export function takeReached() {
  const mutants = [...reached];
  reached.clear();
  return mutants;
}

/**
 * Of a thread, or of a process that a test started from source, such as the one that generates files. Both load this file with
 * `--import`.
 *
 * @param {readonly string[]} mutants
 */
function note(mutants) {
  if (file !== undefined && test !== undefined)
    appendFileSync(file, `${JSON.stringify({ path: test, mutants })}\n`);
}

if (isMainThread) process.once('exit', () => note(takeReached()));
