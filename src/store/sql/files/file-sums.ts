import { type Kysely, sql } from 'kysely';
import type { FileLimits, RoomScope } from '../../file-records.ts';
import type { Tables } from '../basics/tables.ts';

/** A transaction that would exceed a limit of the stored bytes is rolled back with it. */
export class FilesFullError extends Error {
  override readonly name = 'FilesFullError';
  readonly scope: RoomScope;

  constructor(scope: RoomScope) {
    super(`no room for a file (${scope})`);
    this.scope = scope;
  }
}

/** The owner of the row that counts the files of all. */
const everyone = '';

interface Amounts {
  readonly files: number;
  readonly bytes: number;
}

/** Counts new content. Call within a transaction. @throws FilesFullError */
export async function countStored(
  db: Kysely<Tables>,
  owner: string,
  bytes: number,
  { maxBytesPerOwner, maxTotalBytes }: FileLimits,
): Promise<void> {
  if ((await addToSum(db, owner, { files: 1, bytes })) > maxBytesPerOwner) throw new FilesFullError('owner');
  if ((await addToSum(db, everyone, { files: 1, bytes })) > maxTotalBytes) throw new FilesFullError('total');
}

/** The stored bytes of the owner, or of all. */
export async function readSum(db: Kysely<Tables>, owner = everyone): Promise<number> {
  const row = await db.selectFrom('file_sums').select('bytes').where('owner', '=', owner).executeTakeFirst();
  return row?.bytes ?? 0;
}

interface Removed {
  readonly owner: string;
  readonly size_bytes: number;
}

/** Call within the transaction that deletes these objects. */
export async function countRemoved(db: Kysely<Tables>, removed: readonly Removed[]): Promise<void> {
  if (removed.length === 0) return;
  // Sorted, so that concurrent transactions lock the sums in the same order. That of all comes last, as above.
  const owners = [...new Set(removed.map(({ owner }) => owner))].toSorted();
  for (const name of [...owners, everyone]) {
    const objects = removed.filter(({ owner }) => name === everyone || owner === name);
    const bytes = objects.reduce((sum, { size_bytes: size }) => sum + size, 0);
    await addToSum(db, name, { files: -objects.length, bytes: -bytes });
  }
}

/** Returns the bytes after the change. Amounts are BigInt, because SQLite adds JavaScript numbers as floating point. */
async function addToSum(db: Kysely<Tables>, owner: string, { files, bytes }: Amounts): Promise<number> {
  const row = await db
    .insertInto('file_sums')
    .values({ owner, files: sql<number>`${BigInt(files)}`, bytes: sql<number>`${BigInt(bytes)}` })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet((sum) => ({
        files: sql<number>`file_sums.files + ${sum.ref('excluded.files')}`,
        bytes: sql<number>`file_sums.bytes + ${sum.ref('excluded.bytes')}`,
      })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow();
  return row.bytes;
}
