import { minuteMs } from '../../../lib/time.ts';
import type { Expiry } from '../../store.ts';
import type { Sweep } from './expiry.ts';
import { createPartSweep } from './sweep-in-parts.ts';

/**
 * Deletes the counts of owners without generations, which the creates of a minute left. Any text could be a credential, so refused
 * creates would leave a row for each. An index would slow down every create.
 */
export function createOwnerSweep(): Sweep {
  const firstKept = ({ keysBefore }: Expiry): number => Math.floor(keysBefore / minuteMs);
  return createPartSweep({
    async read(db, { after, limit }, expiry) {
      const rows = await db
        .selectFrom('owner_records')
        .select(['owner', 'records', 'minute'])
        .where('owner', '>', after)
        .orderBy('owner')
        .limit(limit)
        .execute();
      return rows.map(({ owner, records, minute }) => ({
        key: owner,
        isUnused: records === 0 && minute < firstKept(expiry),
      }));
    },
    remove: (db, owners, expiry) =>
      db
        .deleteFrom('owner_records')
        .where('owner', 'in', owners)
        // A create may have counted meanwhile.
        .where('records', '=', 0)
        .where('minute', '<', firstKept(expiry))
        .executeTakeFirstOrThrow(),
  });
}
