import { describe, expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import {
  isAway,
  isConflict,
  keepsConnection,
  toRecordsUnavailable,
} from '../../src/store/postgres/postgres-errors.ts';

const failing = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });
const lost = new Error('Connection terminated unexpectedly');

describe('an error of PostgreSQL', () => {
  /** With the reason that an operator reads, whether a retry may find the database, and whether the connection is usable. */
  test.each<[string, unknown, RegExp, boolean, boolean]>([
    ['a defect', failing('42601'), /^$/, false, true],
    ['a lock', failing('55P03'), /holds a lock/, false, true],
    ['a full disk', failing('53100'), /disk of the database is full/, false, true],
    ['too many connections', failing('53300'), /no more connections/, true, true],
    ['a stopping server', failing('57P01'), /stopping, starting/, true, false],
    ['a refused connection', failing('ECONNREFUSED'), /connection .* failed \(ECONNREFUSED\)/, true, false],
    ['a socket error of five letters', failing('EPIPE'), /connection .* failed \(EPIPE\)/, true, false],
    ['a socket without permission', failing('EACCES'), /failed \(EACCES\)/, false, false],
    ['a wrong certificate', failing('CERT_HAS_EXPIRED'), /failed \(CERT_HAS_EXPIRED\)/, false, false],
    ['a lost connection', lost, /failed \(Connection terminated unexpectedly\)/, true, false],
    ['a slow query', new Error('Query read timeout'), /failed \(Query read timeout\)/, false, false],
    ['a host with two addresses', new AggregateError([failing('ECONNREFUSED')]), /ECONNREFUSED/, true, false],
    ['something else', 'a text', /^$/, false, false],
  ])('%s', (_name, error, reason, away, keeps) => {
    const converted = toRecordsUnavailable(error);
    expect(converted instanceof RecordsUnavailableError ? converted.message : '').toMatch(reason);
    expect(isAway(error)).toBe(away);
    expect(isAway(converted)).toBe(away);
    expect(keepsConnection(error)).toBe(keeps);
  });

  test('that was converted stays as it is', () => {
    const converted = toRecordsUnavailable(lost);
    expect(converted).toBeInstanceOf(RecordsUnavailableError);
    expect(toRecordsUnavailable(converted)).toBe(converted);
  });

  test.each([
    ['55P03', { isLocked: true, isDiskFault: false }, false],
    ['57014', { isLocked: true, isDiskFault: false }, false],
    ['53100', { isLocked: false, isDiskFault: true }, false],
    ['58030', { isLocked: false, isDiskFault: true }, false],
    ['40001', { isLocked: false, isDiskFault: false }, true],
    ['40P01', { isLocked: false, isDiskFault: false }, true],
  ])('%s says what is in the way, and whether a retry is safe', (code, facts, conflicts) => {
    const converted = toRecordsUnavailable(failing(code));
    expect(converted).toMatchObject(facts);
    expect([isConflict(failing(code)), isConflict(converted)]).toEqual([conflicts, conflicts]);
  });
});
