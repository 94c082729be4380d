import { runInNewContext } from 'node:vm';
import { isRecord } from '../../lib/json.ts';
import { UnsatisfiableSchema } from './schema.ts';

/** Limit of the processor time of all attempts together. Ordinary schemas need a few milliseconds. */
const processorLimitMs = 150;
/** Elapsed time of the first attempt. An idle machine gives it more than the limit of processor time, so it is the only one. */
const firstAttemptMs = 180;
const longestAttemptMs = 4000;

/**
 * Limits the processor time of work on a schema, because it blocks the event loop. A pattern that backtracks or nested branches
 * could make it endless. Only elapsed time can stop work that runs, so an attempt that got little processor time on a busy
 * machine is repeated with more elapsed time.
 */
export function limitTime<Result>(work: () => Result): Result {
  const startedAt = processorMs();
  let attemptMs = firstAttemptMs;
  do {
    const finished = runWithin(attemptMs, work);
    if (finished) return finished.result;
    attemptMs = Math.min(attemptMs * 2, longestAttemptMs);
  } while (processorMs() - startedAt < processorLimitMs);
  throw new UnsatisfiableSchema(
    `no value was found within ${processorLimitMs} ms of processor time: simplify the schema`,
  );
}

/** Processor time of this thread. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Undefined after a timeout. */
function runWithin<Result>(timeoutMs: number, work: () => Result): { readonly result: Result } | undefined {
  try {
    return { result: runInNewContext('work()', { work }, { timeout: timeoutMs }) as Result }; // As `work` returns it.
  } catch (error) {
    // The error is of the new context's Error class, so `instanceof Error` is false.
    if (!isRecord(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return undefined;
  }
}
