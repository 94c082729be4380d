import type { DeleteResult, Kysely } from 'kysely';
import type { Expiry } from '../../store.ts';
import type { Tables } from '../basics/tables.ts';
import type { Sweep } from './expiry.ts';

/** Rows that one sweep reads. */
const readAtOnce = 1000;

export interface PartSweep {
  /** Rows with greater keys, in the order of their keys, and whether each may be deleted. */
  readonly read: (
    db: Kysely<Tables>,
    range: { readonly after: string; readonly limit: number },
    expiry: Expiry,
  ) => Promise<readonly { readonly key: string; readonly isUnused: boolean }[]>;
  /** Deletes rows that are still unused. */
  readonly remove: (db: Kysely<Tables>, keys: readonly string[], expiry: Expiry) => Promise<DeleteResult>;
}

/** Deletes unused rows of a table that has no index for them. Each sweep reads the part after that of the sweep before. */
export function createPartSweep({ read, remove }: PartSweep): Sweep {
  let last = '';
  return async (db, expiry) => {
    const rows = await read(db, { after: last, limit: readAtOnce }, expiry);
    const unused = rows.filter(({ isUnused }) => isUnused);
    const keys = unused.slice(0, expiry.limit).map(({ key }) => key);
    const next =
      unused.length > expiry.limit ? keys.at(-1) : rows.length < readAtOnce ? '' : rows.at(-1)?.key;
    last = next ?? '';
    if (keys.length === 0) return { deleted: 0, generations: [] };
    const { numDeletedRows } = await remove(db, keys, expiry);
    return { deleted: Number(numDeletedRows), generations: [] };
  };
}
