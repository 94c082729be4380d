import { runInNewContext } from 'node:vm';
import { isRecord } from '../../lib/json.ts';
import { UnsatisfiableSchema } from './schema.ts';

const timeLimitMs = 3000;

/** Limits the time of work on a schema. A pattern that backtracks or nested branches could make it endless. */
export function limitTime<Result>(work: () => Result): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: timeLimitMs }) as Result; // As `work` returns it.
  } catch (error) {
    // The error is of the new context's Error class, so `instanceof Error` is false.
    if (!isRecord(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new UnsatisfiableSchema(`no value was found within ${timeLimitMs} ms: simplify the schema`);
  }
}
