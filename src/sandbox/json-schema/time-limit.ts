import { runInNewContext } from 'node:vm';
import { isRecord } from '../../lib/json.ts';
import { UnsatisfiableSchema } from './schema.ts';

/** Limit of one attempt. Two attempts stay below 200 ms. */
const timeLimitMs = 90;

/**
 * Limits the time of work on a schema, because it blocks the event loop. A pattern that backtracks or nested branches could
 * make it endless. On a busy machine, work that got little processor time is repeated once.
 */
export function limitTime<Result>(work: () => Result): Result {
  const before = processorMs();
  const first = runWithin(work);
  if (first) return first.result;
  const wasStarved = processorMs() - before < timeLimitMs / 2;
  const second = wasStarved ? runWithin(work) : undefined;
  if (second) return second.result;
  throw new UnsatisfiableSchema(`no value was found within ${timeLimitMs} ms: simplify the schema`);
}

/** Processor time of this thread. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Undefined after a timeout. */
function runWithin<Result>(work: () => Result): { readonly result: Result } | undefined {
  try {
    return { result: runInNewContext('work()', { work }, { timeout: timeLimitMs }) as Result }; // As `work` returns it.
  } catch (error) {
    // The error is of the new context's Error class, so `instanceof Error` is false.
    if (!isRecord(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return undefined;
  }
}
