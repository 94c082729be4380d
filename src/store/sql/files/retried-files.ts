import type { Kysely } from 'kysely';
import type { FileFailure } from '../../file-records.ts';
import type { Tables } from '../basics/tables.ts';

/** Causes that an operator can remove. An answer of the provider is final, and so is the removal of a file to make room. */
const retriedFailures: readonly FileFailure[] = ['UNREACHABLE', 'REFUSED_ADDRESS', 'TOO_LARGE', 'NO_ROOM'];

/** Files that one statement changes. */
const batchSize = 1000;

/** Makes failed copies due again, as if their generations had just ended. Returns the number of files. */
export async function retryFailedFiles(db: Kysely<Tables>, now: number): Promise<number> {
  for (let count = 0; ;) {
    const { numUpdatedRows } = await db
      .updateTable('files')
      .set({ state: 'PENDING', failure: null, attempts: 0, due_at: now, created_at: now, instance_id: null })
      .where('id', 'in', (files) =>
        files
          .selectFrom('files')
          .select('id')
          .where('state', '=', 'FAILED')
          .where('failure', 'in', retriedFailures)
          // Others are uploads, and files that requests use.
          .where('generation_id', 'is not', null)
          .where('position', 'is not', null)
          // Servers may have failed again to copy those of the batches before.
          .where('created_at', '<>', now)
          .limit(batchSize)
          // Locked rows are being deleted with their generation.
          .forUpdate()
          .skipLocked(),
      )
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return count;
    count += Number(numUpdatedRows);
  }
}
