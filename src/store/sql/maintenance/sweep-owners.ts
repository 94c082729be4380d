import { minuteMs } from '../../../lib/time.ts';
import type { Sweep } from './expiry.ts';

/** Counts of owners that one sweep reads. */
const readAtOnce = 1000;

/**
 * Deletes the counts of owners without generations, which the creates of a minute left. Any text could be a credential, so refused
 * creates would leave a row for each. Reads a part of the table in each sweep: an index would slow down every create.
 */
export function createOwnerSweep(): Sweep {
  let last = '';
  return async (db, { keysBefore, limit }) => {
    const rows = await db
      .selectFrom('owner_records')
      .select(['owner', 'records', 'minute'])
      .where('owner', '>', last)
      .orderBy('owner')
      .limit(readAtOnce)
      .execute();
    const minute = Math.floor(keysBefore / minuteMs);
    const unused = rows.filter((row) => row.records === 0 && row.minute < minute);
    const owners = unused.slice(0, limit).map(({ owner }) => owner);
    const next = unused.length > limit ? owners.at(-1) : rows.length < readAtOnce ? '' : rows.at(-1)?.owner;
    last = next ?? '';
    if (owners.length === 0) return { deleted: 0, generations: [] };
    const { numDeletedRows } = await db
      .deleteFrom('owner_records')
      .where('owner', 'in', owners)
      // A create may have counted meanwhile.
      .where('records', '=', 0)
      .where('minute', '<', minute)
      .executeTakeFirstOrThrow();
    return { deleted: Number(numDeletedRows), generations: [] };
  };
}
