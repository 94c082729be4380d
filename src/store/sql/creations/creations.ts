import type { Kysely } from 'kysely';
import type { GenerationPatch, GenerationSummary, Release } from '../../records.ts';
import type { RemovedGeneration, Settlement, Store } from '../../store.ts';
import { insertAccessToken } from '../owners/access-tokens.ts';
import { insertClonedVoice } from '../owners/cloned-voices.ts';
import { discardUnlessEnded, patchGeneration } from '../generations/generation-writes.ts';
import { isConcurrent } from '../basics/lock-name.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { CreationRow, Tables } from '../basics/tables.ts';
import { adoptTask } from '../tasks/tasks.ts';
import { writeContents } from '../contents/written-contents.ts';
import { type ClaimsOptions, createClaims, insertCreation, selectHolder } from './claims.ts';
import { fromCreationRow } from './creation-rows.ts';
import { keptFrom } from './kept-from.ts';
import { refuseCreation } from './refused-creations.ts';

type CreationRecords = Pick<Store, 'claim' | 'settle' | 'release' | 'findCreation'>;

export function createCreationRecords(options: ClaimsOptions): CreationRecords {
  const { reader, writes, quickWrites } = options;
  return {
    claim: createClaims(options),
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
      writes.transaction((transaction) => releaseKey(transaction, { id: creationId, release, options })),
    async findCreation(owner, key) {
      const row = await selectHolder(reader, { owner, key }).executeTakeFirst();
      return row && fromCreationRow(row);
    },
  };
}

interface Releasing {
  readonly id: string;
  readonly release: Release;
  readonly options: ClaimsOptions;
}

async function releaseKey(
  db: Kysely<Tables>,
  { id, release, options }: Releasing,
): Promise<RemovedGeneration | GenerationSummary | undefined> {
  const { keepGeneration = false, isUnsent = false, refusal } = release;
  const end = () =>
    refusal?.keepsKey
      ? refuseCreation(db, id, { ...refusal, at: keptFrom(refusal.at, options) })
      : removeCreation(db, id);
  const creation = (await end()) ?? ((await preventClaim(db, id, options)) ? await end() : undefined);
  if (!creation || keepGeneration) return undefined;
  const assumed = { instanceId: options.instanceId, refusal };
  const { isKept, released } = await discardUnlessEnded(db, creation.subject_id, assumed);
  // Its client canceled it: a retry with its key gets the cancellation, and sends nothing.
  if (isKept && isUnsent && creation.key !== null)
    await insertCreation(db, { ...creation, phase: 'SETTLED' });
  return released;
}

/** Whether the gateway has made something. The reply of an accepted stream is still to come. */
function hasResult({ generation, task, accessToken, clonedVoiceId }: Settlement): boolean {
  return (task ?? accessToken ?? clonedVoiceId ?? generation?.finishedAt) !== undefined;
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
  options: Pick<ClaimsOptions, 'instanceId' | 'clock' | 'instances'>,
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
      instance_id: options.instanceId,
      created_at: keptFrom(options.clock.now(), options),
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
