import { type Kysely, type RawBuilder, sql } from 'kysely';
import { LimitReachedError, RecordsFullError, RecordsUnavailableError } from '../../../errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createQueues } from '../../../lib/fairness/queues.ts';
import type { Creation, Generation, GenerationPatch, GenerationSummary, Release } from '../../records.ts';
import type { ClaimOptions, RemovedGeneration, Settlement, Store } from '../../store.ts';
import { insertAccessToken } from '../owners/access-tokens.ts';
import { insertClonedVoice } from '../owners/cloned-voices.ts';
import {
  discardUnlessEnded,
  insertGeneration,
  type InsertOptions,
  patchGeneration,
} from '../generations/generation-writes.ts';
import { isConcurrent } from '../basics/lock-name.ts';
import type { Instances } from '../instances/instances.ts';
import { countCreate, findReached, type LimitQuery, limitTimesOf, readLimitUses } from './limit-uses.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import { fromCreationRow, toCreationRow } from './creation-rows.ts';
import { toNameColumn } from '../basics/columns.ts';
import type { Database } from '../basics/database.ts';
import { refuseCreation } from './refused-creations.ts';
import { createKeptFrom, type KeptFrom, type SharedTimeOptions } from './shared-time.ts';
import type { QuickWrites } from '../generations/quick-writes.ts';
import type { CreationRow, Tables } from '../basics/tables.ts';
import { adoptTask } from '../tasks/tasks.ts';
import { writeContents, type WrittenContents } from '../contents/written-contents.ts';

type CreationRecords = Pick<Store, 'claim' | 'settle' | 'release' | 'findCreation'>;

export interface CreationsOptions extends Database, InsertOptions, SharedTimeOptions {
  readonly clock: Clock;
  /** @default every write is a transaction */
  readonly quickWrites?: QuickWrites | undefined;
  /** A create is sent only with a valid lease. Absent if one instance at a time uses the records. */
  readonly instances?: Pick<Instances, 'renewLease' | 'holdsLease' | 'leaseClock'> | undefined;
  /**
   * Checks that the next process will find the writes of this one. Called before every create.
   * @throws RecordsUnavailableError if it will not
   */
  readonly checkFiles?: (() => void) | undefined;
}

export function createCreationRecords(options: CreationsOptions): CreationRecords {
  const { reader, writes, quickWrites, instances, instanceId, clock, minuteClock, checkFiles } = options;
  const keptFrom = createKeptFrom(options);
  const insertClaim = prepareQuery(
    (db, { now, created_at, ...row }: CreationRow & { readonly now: number }) =>
      insertingCreation(db, row, keptFrom(created_at, now)),
  );
  // Each claim waits for the counts of its owner. In a queue, it waits without a connection, which others need to record the
  // outcome of creates that were sent.
  const queue = createQueues(maxClaims);
  const claimNow = async (
    creation: Creation,
    generation: Generation | undefined,
    { deadline, quota }: ClaimOptions,
  ): Promise<Creation | undefined> => {
    const contents = await writeContents(generation);
    if (generation && quickWrites) {
      if (quota) await refuseEarly(reader, creation, { generation, quota, minuteClock });
      else if (await quickWrites.claim(creation, generation, { deadline, contents })) return undefined;
    }
    const row = toCreationRow(creation, instanceId);
    return writes.transaction(async (transaction) => {
      checkFiles?.();
      const now = clock.now();
      // Insert without a prior read: of two concurrent claims, one inserts and the other finds it.
      while ((await insertClaim(transaction, { ...row, now })).rows.length === 0) {
        const holder = await selectHolder(transaction, creation).forUpdate().executeTakeFirst();
        if (holder) return fromCreationRow(holder);
      }
      const { failure, createdAt: at } = creation;
      if (failure) await refuseCreation(transaction, creation.id, { failure, keptFrom: keptFrom(at, now) });
      const isFull = generation ? !(await hasRoomFor(transaction, { generation, contents }, options)) : false;
      // First the limits: a create that they refuse makes no room by a deletion.
      if (quota) await countCreate(transaction, creation, { generation, quota, minuteClock });
      if (isFull) throw new RecordsFullError();
      if (instances && !failure) await checkLease(transaction, instances, now);
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
  return {
    async claim(creation, generation, claim = {}) {
      const run = () => claimWithLease(creation, generation, claim);
      // An engine with one connection runs one at a time.
      const holder = await (quickWrites ? queue(creation.owner, run) : run());
      // A request that is sent has a record after a power failure too.
      if (!holder && !creation.failure) await writes.sync();
      return holder;
    },
    async settle(creationId, settlement) {
      const quick = await quickWrites?.settle(creationId, settlement);
      if (quick) return quick;
      const { phase, generation, accessToken, clonedVoiceId, task, endIfTaken } = settlement;
      const contents = await writeContents(generation);
      const settled = await writes.transaction(async (transaction) => {
        const [creation] = (await endCreation(transaction, { id: creationId, phase })).rows;
        // A creation without a key cannot be repeated, so its record is not needed.
        if (creation?.key === null)
          await transaction.deleteFrom('creations').where('id', '=', creationId).execute();
        if (accessToken) await insertAccessToken(transaction, accessToken);
        if (creation && clonedVoiceId !== undefined)
          await insertClonedVoice(transaction, creation.owner, clonedVoiceId);
        const patched = creation
          ? generation &&
            (await patchGeneration(
              transaction,
              creation.subject_id,
              (stored) => toSettlementPatch(stored, generation),
              contents,
            ))
          : await findSettled(transaction, creationId);
        if (!task) return patched;
        // Without its generation, which was deleted, it expires like a task that is only read.
        const isTaken = await adoptTask(transaction, patched ? task : { ...task, generationId: undefined });
        return isTaken && patched && creation && endIfTaken
          ? patchGeneration(transaction, creation.subject_id, () => endIfTaken)
          : patched;
      });
      // Without its settlement, a create has an unknown outcome, which is enough for one without a result.
      if (hasResult(settlement)) await writes.sync();
      return settled;
    },
    release: (creationId, release = {}) =>
      writes.transaction((transaction) =>
        releaseKey(transaction, { id: creationId, release, options, keptFrom }),
      ),
    async findCreation(owner, key) {
      const row = await selectHolder(reader, { owner, key }).executeTakeFirst();
      return row && fromCreationRow(row);
    },
  };
}

interface Releasing {
  readonly id: string;
  readonly release: Release;
  readonly options: CreationsOptions;
  readonly keptFrom: KeptFrom;
}

async function releaseKey(
  db: Kysely<Tables>,
  { id, release, options, keptFrom }: Releasing,
): Promise<RemovedGeneration | GenerationSummary | undefined> {
  const { keepGeneration = false, isUnsent = false, refusal } = release;
  const end = () =>
    refusal?.keepsKey
      ? refuseCreation(db, id, { ...refusal, keptFrom: keptFrom(refusal.at, options.clock.now()) })
      : removeCreation(db, id);
  const creation = (await end()) ?? ((await preventClaim(db, id, options)) ? await end() : undefined);
  if (!creation || keepGeneration) return undefined;
  const assumed = { instanceId: options.instanceId, refusal };
  const { isKept, released } = await discardUnlessEnded(db, creation.subject_id, assumed);
  // Its client canceled it: a retry with its key gets the cancellation, and sends nothing.
  if (isKept && isUnsent && creation.key !== null) {
    const { created_at: createdAt, ...row } = creation;
    await insertingCreation(db, { ...row, phase: 'SETTLED' }, sql`${createdAt}`).execute();
  }
  return released;
}

/** Whether the gateway has made something. The reply of an accepted stream is still to come. */
function hasResult({ generation, task, accessToken, clonedVoiceId }: Settlement): boolean {
  return (task ?? accessToken ?? clonedVoiceId ?? generation?.finishedAt) !== undefined;
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
function selectHolder(db: Kysely<Tables>, { owner, key }: Pick<Creation, 'owner' | 'key'>) {
  return db
    .selectFrom('creations')
    .selectAll()
    .where('owner', '=', owner)
    .where('key', '=', toNameColumn(key));
}

/** The generation of a create that was settled before: its commit succeeded, but the reply of the database was lost. */
async function findSettled(db: Kysely<Tables>, creationId: string): Promise<GenerationSummary | undefined> {
  const row = await db
    .selectFrom('creations')
    .select('subject_id')
    .where('id', '=', creationId)
    .executeTakeFirst();
  return row && patchGeneration(db, row.subject_id, () => ({}));
}

/** Inserts nothing if another creation holds the key. */
function insertingCreation(
  db: Kysely<Tables>,
  row: Omit<CreationRow, 'created_at'>,
  createdAt: RawBuilder<number>,
) {
  return db
    .insertInto('creations')
    .values({ ...row, created_at: createdAt })
    .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
    .returning('id');
}

const endCreation = prepareQuery((db, { id, phase }: Pick<CreationRow, 'id' | 'phase'>) =>
  db
    .updateTable('creations')
    .set({ phase })
    .where('id', '=', id)
    .where('phase', '<>', 'SETTLED')
    .returning(['subject_id', 'owner', 'key']),
);

/** Of a row that only prevents a claim. */
const noSubject = '';

function removeCreation(db: Kysely<Tables>, id: string): Promise<CreationRow | undefined> {
  return db
    .deleteFrom('creations')
    .where('id', '=', id)
    .where('subject_id', '<>', noSubject)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Waits for a claim that the database has not committed yet: this instance gave up meanwhile, and a deletion would not find it.
 * One that has not even arrived fails when it does, until keys expire: a row has its id. Returns whether there may be a claim to
 * delete. Call within a transaction.
 */
async function preventClaim(
  db: Kysely<Tables>,
  id: string,
  { instanceId, clock }: Pick<CreationsOptions, 'instanceId' | 'clock'>,
): Promise<boolean> {
  if (!isConcurrent(db)) return false;
  const inserted = await db
    .insertInto('creations')
    // An insert waits for another one with its id.
    .values({
      id,
      owner: '',
      key: null,
      operation: '',
      fingerprint: '',
      phase: 'SETTLED',
      subject_id: noSubject,
      instance_id: instanceId,
      created_at: clock.now(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted === undefined;
}

/** The part of a settlement that still applies to a generation that may have been canceled or marked UNKNOWN meanwhile. */
function toSettlementPatch(stored: GenerationSummary, patch: GenerationPatch): GenerationPatch {
  if (stored.finishedAt === undefined) return patch;
  const isResolved = stored.status === 'UNKNOWN' && patch.status !== undefined && patch.status !== 'UNKNOWN';
  if (isResolved) return { error: undefined, finishedAt: undefined, ...patch };
  const { status: _status, error: _error, finishedAt: _finishedAt, ...rest } = patch;
  return rest;
}

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
