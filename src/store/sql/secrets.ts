import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Store } from '../store.ts';
import type { Tables } from './tables.ts';

const name = 'hashes';

export function createSecrets(db: Kysely<Tables>): Pick<Store, 'secret'> {
  let cached: Promise<Uint8Array> | undefined;
  const load = async (): Promise<Uint8Array> => {
    const value = randomBytes(32).toString('base64url');
    // The first instance inserts it. All instances read the stored value.
    await db
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const stored = await db
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return Buffer.from(stored.value, 'base64url');
  };
  return {
    secret() {
      cached ??= load();
      cached.catch(() => (cached = undefined));
      return cached;
    },
  };
}
