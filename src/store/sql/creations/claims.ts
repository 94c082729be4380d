import { type Kysely, sql } from 'kysely';
import { LimitReachedError, RecordsFullError, RecordsUnavailableError } from '../../../errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createQueues } from '../../../lib/fairness/queues.ts';
import type { Creation, Generation } from '../../records.ts';
import type { ClaimOptions, Store } from '../../store.ts';
import { toNameColumn } from '../basics/columns.ts';
import type { Database } from '../basics/database.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { CreationRow, Tables } from '../basics/tables.ts';
import { writeContents, type WrittenContents } from '../contents/written-contents.ts';
import { insertGeneration, type InsertOptions } from '../generations/generation-writes.ts';
import type { QuickWrites } from '../generations/quick-writes.ts';
import type { Instances } from '../instances/instances.ts';
import { fromCreationRow, toCreationRow } from './creation-rows.ts';
import {
  countCreate,
  findReached,
  type LimitQuery,
  limitTimesOf,
  type MinuteClock,
  readLimitUses,
} from './limit-uses.ts';
import { removeOldRefused } from './refused-creations.ts';
import { keptFrom } from './kept-from.ts';

export interface ClaimsOptions extends Database, InsertOptions {
  readonly clock: Clock;
  readonly minuteClock: MinuteClock;
  /** @default every write is a transaction */
  readonly quickWrites?: QuickWrites | undefined;
  /** A create is sent only with a valid lease. Absent if one instance at a time uses the records. */
  readonly instances?: Pick<Instances, 'renewLease' | 'holdsLease' | 'now'> | undefined;
  /**
   * Checks that the next process will find the writes of this one. Called before every create.
   * @throws RecordsUnavailableError if it will not
   */
  readonly checkFiles?: (() => void) | undefined;
}

export function createClaims(options: ClaimsOptions): Store['claim'] {
  const { reader, writes, quickWrites, instances, instanceId, clock, minuteClock, checkFiles } = options;
  // Each claim waits for the counts of its owner. In a queue, it waits without a connection, which others need to record the
  // outcome of creates that were sent.
  const queue = createQueues(maxClaims);
  const claimNow = async (
    creation: Creation,
    generation: Generation | undefined,
    { deadline, quota }: ClaimOptions,
  ): Promise<Creation | undefined> => {
    const row = { ...toCreationRow(creation, instanceId), created_at: keptFrom(creation.createdAt, options) };
    const contents = await writeContents(generation);
    if (generation && quickWrites) {
      if (quota) await refuseEarly(reader, creation, { generation, quota, minuteClock });
      else if (await quickWrites.claim(row, generation, { deadline, contents })) return undefined;
    }
    return writes.transaction(async (transaction) => {
      checkFiles?.();
      // Insert without a prior read: of two concurrent claims, one inserts and the other finds it.
      while ((await insertCreation(transaction, row)).rows.length === 0) {
        const holder = await selectHolder(transaction, creation).forUpdate().executeTakeFirst();
        if (holder) return fromCreationRow(holder);
      }
      const isRefusal = creation.failure !== undefined;
      if (isRefusal) await removeOldRefused(transaction, creation.owner);
      const isFull = generation ? !(await hasRoomFor(transaction, { generation, contents }, options)) : false;
      // First the limits: a create that they refuse makes no room by a deletion.
      if (quota) await countCreate(transaction, creation, { generation, quota, minuteClock });
      if (isFull) throw new RecordsFullError();
      if (instances && !isRefusal) await checkLease(transaction, instances, clock.now());
      return undefined;
    }, deadline);
  };
  const claimWithLease: typeof claimNow = async (...claim) => {
    try {
      return await claimNow(...claim);
    } catch (error) {
      if (!instances || !(error instanceof LeaseExpiredError)) throw error;
      // The process was paused, or the database was unavailable.
      await instances.renewLease();
      return claimNow(...claim);
    }
  };
  return async (creation, generation, claim = {}) => {
    const run = () => claimWithLease(creation, generation, claim);
    // An engine with one connection runs one at a time.
    const holder = await (quickWrites ? queue(creation.owner, run) : run());
    // A request that is sent has a record after a power failure too.
    if (!holder && !creation.failure) await writes.sync();
    return holder;
  };
}

/** Claims of one owner that wait for the database at the same time. */
const maxClaims = 3;

/** Inserts a generation. Returns false if its owner has no room for it: roll the transaction back. */
async function hasRoomFor(
  db: Kysely<Tables>,
  { generation, contents }: { readonly generation: Generation; readonly contents: WrittenContents },
  options: InsertOptions,
): Promise<boolean> {
  try {
    await insertGeneration(db, generation, options, contents);
    return true;
  } catch (error) {
    if (error instanceof RecordsFullError) return false;
    throw error;
  }
}

/**
 * Refuses a create of an owner who has used a limit without a transaction, so that many of them take no locks.
 * @throws LimitReachedError unless a creation holds the key
 */
async function refuseEarly(
  reader: Kysely<Tables>,
  creation: Creation,
  {
    generation,
    ...counting
  }: Pick<LimitQuery, 'quota' | 'minuteClock'> & { readonly generation: Generation },
): Promise<void> {
  const { owner, key } = creation;
  const uses = await readLimitUses(reader, { owner, ...limitTimesOf(creation, generation), ...counting });
  const reached = findReached(uses, generation);
  if (reached && !(key !== undefined && (await selectHolder(reader, creation).executeTakeFirst())))
    throw new LimitReachedError(reached);
}

/** The creation that holds a key. */
export function selectHolder(db: Kysely<Tables>, { owner, key }: Pick<Creation, 'owner' | 'key'>) {
  return db
    .selectFrom('creations')
    .selectAll()
    .where('owner', '=', owner)
    .where('key', '=', toNameColumn(key));
}

/** Inserts nothing if another creation holds the key. */
export const insertCreation = prepareQuery((db, row: CreationRow) =>
  db
    .insertInto('creations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
    .returning('id'),
);

class LeaseExpiredError extends RecordsUnavailableError {
  constructor() {
    super('The lease of this server expired before a create was sent. Try again');
  }
}

/** @throws LeaseExpiredError if the others may take this instance for dead */
async function checkLease(
  db: Kysely<Tables>,
  { holdsLease }: Pick<Instances, 'holdsLease'>,
  now: number,
): Promise<void> {
  const { rows } = await sql`select 1 where ${holdsLease(now)}`.execute(db);
  if (rows.length === 0) throw new LeaseExpiredError();
}
