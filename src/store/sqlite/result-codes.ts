import { RecordsUnavailableError } from '../../errors.ts';

/** SQLITE_BUSY, including its extended codes (https://sqlite.org/rescode.html#busy). */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === 5;
}

/** Result codes caused by the environment rather than by a statement (https://sqlite.org/rescode.html). */
const storeFailures: Readonly<Record<number, string>> = {
  5: 'another process holds the write lock',
  8: 'the database is read-only',
  10: 'disk I/O error',
  11: 'the database file is corrupt',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  26: 'the file is not a database',
};

/** Converts failures that an operator can fix. Defects are returned unchanged. */
export function toRecordsUnavailable(error: unknown): unknown {
  const code = resultCodeOf(error) ?? 0;
  const reason = storeFailures[code];
  return reason === undefined
    ? error
    : new RecordsUnavailableError(`The record store is unavailable: ${reason}`, {
        cause: error,
        isLocked: code === 5,
        isDiskFault: code === 10 || code === 13,
      });
}

/** The primary result code, without the extended bits. */
function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode % 256
    : undefined;
}
