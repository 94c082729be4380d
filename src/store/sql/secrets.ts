import { randomBytes } from 'node:crypto';
import type { Store } from '../store.ts';
import type { SqlStoreOptions } from './sql-store.ts';

const name = 'hashes';

export function createSecrets({
  reader,
  writes,
}: Pick<SqlStoreOptions, 'reader' | 'writes'>): Pick<Store, 'secret'> {
  let cached: Promise<Uint8Array> | undefined;
  const query = reader.selectFrom('secrets').select('value').where('name', '=', name);
  const find = () => query.executeTakeFirst();
  const create = async () => {
    const value = randomBytes(32).toString('base64url');
    // The first instance inserts it. All instances read the stored value.
    await writes.statement((db) =>
      db
        .insertInto('secrets')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute(),
    );
    return query.executeTakeFirstOrThrow();
  };
  const load = async (): Promise<Uint8Array> => {
    const stored = (await find()) ?? (await create());
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
