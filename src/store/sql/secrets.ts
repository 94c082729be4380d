import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Store } from '../store.ts';
import type { Tables } from './tables.ts';

const name = 'hashes';

export function createSecrets(db: Kysely<Tables>): Pick<Store, 'secret'> {
  let known: Promise<Uint8Array> | undefined;
  const load = async (): Promise<Uint8Array> => {
    const value = randomBytes(32).toString('base64url');
    // Whoever comes first makes it; everybody reads what is kept.
    await db
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const kept = await db
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return Buffer.from(kept.value, 'base64url');
  };
  return {
    secret() {
      known ??= load();
      known.catch(() => (known = undefined));
      return known;
    },
  };
}
