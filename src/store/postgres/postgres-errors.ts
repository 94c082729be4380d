import { RecordsUnavailableError } from '../../errors.ts';
import { codeOf } from '../../lib/thrown.ts';

/** Classes of SQLSTATE that the environment causes (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const failedClasses: Readonly<Record<string, string>> = {
  '08': 'the connection to the database failed',
  '28': 'the database refused the credentials',
  '3D': 'the database does not exist',
  '53': 'the database has no resources left',
  '57': 'the database is stopping, starting or canceled the statement',
  '58': 'the database reports a system error',
  XX: 'the database reports an internal error',
};

/** Codes of other classes. */
const failedCodes: Readonly<Record<string, string>> = {
  '25006': 'the database is read-only',
  '25P03': 'the transaction was idle for too long',
  '25P04': 'the transaction took too long',
  '40001': 'concurrent transactions conflict',
  '40P01': 'concurrent transactions conflict',
  '42501': 'the database user lacks a permission: make it the owner of all tables',
  '53100': 'the disk of the database is full',
  '53300': 'the database accepts no more connections',
  '55P03': 'the statement took too long, because another transaction holds a lock',
  '57014': 'the statement took too long',
};

/** System errors of a socket. */
const socketErrors = /^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_|NOTFOUND|NOENT|ACCES|ADDRNOT)/;
/** `pg` gives its own errors no code. */
const clientErrors =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|The server does not support SSL|write after end|This socket has been ended)/;

const lostConnection = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** Converts failures that an operator can fix. Defects are returned unchanged. */
export function toRecordsUnavailable(error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  const code = codeOf(error);
  return new RecordsUnavailableError(`The record store is unavailable: ${reason}`, {
    cause: error,
    isLocked: code === '55P03' || code === '57014',
    isDiskFault: code === '53100' || code.startsWith('58'),
  });
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof RecordsUnavailableError) return undefined;
  // A host with several addresses fails with the errors of all.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const code = codeOf(error);
  if (/^[0-9A-Z]{5}$/.test(code) && !socketErrors.test(code))
    return failedCodes[code] ?? failedClasses[code.slice(0, 2)];
  if (socketErrors.test(code) || /CERT|SSL|TLS/.test(code))
    return `the connection to the database failed (${code})`;
  return clientErrors.test(error.message)
    ? `the connection to the database failed (${error.message})`
    : undefined;
}

/** Whether a statement or an attempt to connect failed because the database stops, starts, or cannot be reached. */
export function isAway(error: unknown): boolean {
  const origin = originOf(error);
  if (!(origin instanceof Error)) return false;
  if (origin instanceof AggregateError) return isAway(origin.errors[0]);
  const code = codeOf(origin);
  if (socketErrors.test(code)) return code !== 'EACCES';
  return /^(08|57P0[1-3]|53300)/.test(code) || lostConnection.test(origin.message);
}

/** Whether the database rolled a transaction back in favor of a concurrent one, so that a retry is safe. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(originOf(error)));
}

/**
 * Whether the database did not run a statement because of its name, so that a retry without it is safe: the session has no
 * statement of the name, or has it already, or the types of its result have changed since it was prepared.
 */
export function isNameError(error: unknown): boolean {
  return ['26000', '42P05', '0A000'].includes(codeOf(originOf(error)));
}

/** Whether a pooler refused a statement before it had a connection to the database. PgBouncer has one code for all errors. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && /^(server login has been failing|query_wait_timeout)/.test(error.message);
}

function originOf(error: unknown): unknown {
  return error instanceof RecordsUnavailableError ? error.cause : error;
}

/** Whether the connection can still be used after an error: the server answered with an error of the statement. */
export function keepsConnection(error: unknown): boolean {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !socketErrors.test(code) && !/^(08|57P|25P0[34])/.test(code);
}
