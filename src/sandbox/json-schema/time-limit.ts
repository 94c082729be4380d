import { runInNewContext } from 'node:vm';
import { isRecord } from '../../lib/json.ts';
import { UnsatisfiableSchema } from './schema.ts';

const timeLimitMs = 3000;

/** Interrupts work that a schema makes endless: a pattern that backtracks, or branches that multiply. */
export function limitTime<Result>(work: () => Result): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: timeLimitMs }) as Result; // As `work` returns it.
  } catch (error) {
    // The new context has its own Error class: `instanceof` does not know this one.
    if (!isRecord(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new UnsatisfiableSchema(`no value was found within ${timeLimitMs} ms: simplify the schema`);
  }
}
