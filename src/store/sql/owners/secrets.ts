import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Store } from '../../store.ts';
import type { Database } from '../basics/database.ts';
import type { Tables } from '../basics/tables.ts';

const name = 'hashes';

/** The key of the hashes. Undefined in records that no server has used. */
export async function findHashSecret(db: Kysely<Tables>): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  return row && Buffer.from(row.value, 'base64url');
}

export function createSecrets({ reader, writes }: Database): Pick<Store, 'secret'> {
  let cached: Promise<Uint8Array> | undefined;
  const create = async (): Promise<Uint8Array> => {
    const value = randomBytes(32).toString('base64url');
    // The first instance inserts it. All instances read the stored value.
    await writes.statement((db) =>
      db
        .insertInto('secrets')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute(),
    );
    const stored = await findHashSecret(reader);
    if (!stored) throw new Error('the key of the hashes was deleted');
    return stored;
  };
  const load = async (): Promise<Uint8Array> => (await findHashSecret(reader)) ?? (await create());
  return {
    secret() {
      cached ??= load();
      cached.catch(() => (cached = undefined));
      return cached;
    },
  };
}
