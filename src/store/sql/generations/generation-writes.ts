import type { Kysely } from 'kysely';
import { largeWork } from '../../../lib/fairness/large-work.ts';
import type { Generation, GenerationPatch, GenerationSummary, Refusal } from '../../records.ts';
import type { RecordLimits, RemovedGeneration } from '../../store.ts';
import { type ContentChanges, toContentChanges } from '../contents/content-rows.ts';
import { noContents, type WrittenContents } from '../contents/written-contents.ts';
import { changesSize, countDeleted, countGrowth, countInserted, sizeOfRow } from '../owners/owner-records.ts';
import type { Tables } from '../basics/tables.ts';
import { addToSums, changesOf, countChange, type SumChange } from '../owners/usage-days.ts';
import { fromSummaryRow, toGenerationChanges, toGenerationRow } from './generation-rows.ts';
import {
  deleteOutputParts,
  insertContents,
  insertRow,
  selectForUpdate,
  updateRow,
  updateRowAndSize,
} from './generation-statements.ts';

interface LockedGeneration {
  readonly summary: GenerationSummary;
  readonly sizeBytes: number;
  /** The instance that may replace its end. */
  readonly endedFor: string | undefined;
}

/** The patch for a stored generation. `endedFor`: the instance that may replace its end. */
type Change = (
  before: GenerationSummary,
  endedFor: string | undefined,
) => GenerationPatch | Promise<GenerationPatch>;

/** Reads a generation and locks its row. Call within a transaction. */
async function lockGeneration(db: Kysely<Tables>, id: string): Promise<LockedGeneration | undefined> {
  const [row] = (await selectForUpdate(db, { id })).rows;
  return (
    row && {
      summary: fromSummaryRow(row),
      sizeBytes: row.size_bytes,
      endedFor: row.ended_for ?? undefined,
    }
  );
}

/**
 * Locks the tasks of generations before their deletion. Transactions lock rows in this order, so that they rarely deadlock:
 * creations, tasks, generations, sums, counts of the owner, each by ascending id. Call within a transaction.
 */
export async function lockTasks(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await db
    .selectFrom('tasks')
    .select('id')
    .where('generation_id', 'in', ids)
    .orderBy('generation_id')
    .forUpdate()
    .execute();
}

export interface InsertOptions {
  readonly instanceId: string;
  /** @default no limits */
  readonly recordLimits?: RecordLimits | undefined;
}

/** Call within a transaction. @throws RecordsFullError */
export async function insertGeneration(
  db: Kysely<Tables>,
  generation: Generation,
  { instanceId, recordLimits }: InsertOptions,
  { texts }: WrittenContents = noContents,
): Promise<void> {
  const { saved } = toContentChanges(generation.id, generation, texts);
  const columns = toGenerationRow(generation, instanceId);
  const row = { ...columns, size_bytes: sizeOfRow(columns, saved) };
  await insertRow(db, row);
  await insertInPieces(db, generation.id, { saved, texts });
  await countChange(db, undefined, generation);
  await countInserted(db, row, recordLimits);
}

/**
 * Applies the patch that `change` returns. Returns the patched summary, or undefined if the generation does not exist. Does
 * not read contents, which can be large. Call within a transaction.
 */
export async function patchGeneration(
  db: Kysely<Tables>,
  id: string,
  change: Change,
  contents: WrittenContents = noContents,
): Promise<GenerationSummary | undefined> {
  const patched = await patchRow(db, { id, change, contents, measures: changesSize });
  if (!patched) return undefined;
  const { before, after, growthBytes } = patched;
  await countChange(db, before, after);
  await countGrowth(db, after.owner, growthBytes);
  return after;
}

/**
 * Patches generations together. Returns the patched summaries of those that exist. Locks their rows and then their sums, each
 * in one order. Does not count their sizes. Call within a transaction.
 */
export async function patchGenerations(
  db: Kysely<Tables>,
  changes: readonly RowChange[],
): Promise<ReadonlyMap<string, GenerationSummary>> {
  const patched = new Map<string, GenerationSummary>();
  const sums: SumChange[] = [];
  for (const change of changes.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    const row = await patchRow(db, change);
    if (!row) continue;
    patched.set(change.id, row.after);
    sums.push(...changesOf(row.before, row.after));
  }
  await addToSums(db, sums);
  return patched;
}

interface RowChange {
  readonly id: string;
  readonly change: Change;
  readonly contents: WrittenContents;
  /** Whether the patch needs another size in the row. @default never: the caller counts it */
  readonly measures?: (patch: GenerationPatch) => boolean;
}

interface PatchedRow {
  readonly before: GenerationSummary;
  readonly after: GenerationSummary;
  readonly growthBytes: number;
}

/** Changes a generation and its contents, but not the sums and counts. */
async function patchRow(
  db: Kysely<Tables>,
  { id, change, contents, measures = () => false }: RowChange,
): Promise<PatchedRow | undefined> {
  const locked = await lockGeneration(db, id);
  if (!locked) return undefined;
  const { summary: before, sizeBytes, endedFor } = locked;
  const patch = await change(before, endedFor);
  const { prompt: _prompt, input: _input, output: _output, raw: _raw, ...summaryPatch } = patch;
  const after = { ...before, ...summaryPatch };
  const isReplaced = endedFor !== undefined && patch.status !== undefined;
  const changes = { ...toGenerationChanges(patch, after, before), ...(isReplaced && { ended_for: null }) };
  await saveContents(db, id, patch, contents);
  if (measures(patch)) {
    const [row] = (await updateRowAndSize(db, { ...changes, id })).rows;
    return { before, after, growthBytes: (row?.size_bytes ?? sizeBytes) - sizeBytes };
  }
  if (Object.keys(changes).length > 0) await updateRow(db, { ...changes, id });
  return { before, after, growthBytes: 0 };
}

async function saveContents(
  db: Kysely<Tables>,
  id: string,
  patch: GenerationPatch,
  { texts, removesParts }: WrittenContents,
): Promise<void> {
  const { saved, removed } = toContentChanges(id, patch, texts);
  await insertInPieces(db, id, { saved, texts });
  if (removesParts) await deleteOutputParts(db, { id });
  if (removed.length > 0)
    await db.deleteFrom('contents').where('generation_id', '=', id).where('part', 'in', removed).execute();
}

async function insertInPieces(
  db: Kysely<Tables>,
  id: string,
  { saved, texts }: Pick<ContentChanges, 'saved'> & Pick<WrittenContents, 'texts'>,
): Promise<void> {
  const isLarge = texts.size > 0;
  for (const rows of isLarge ? saved.map((row) => [row]) : [saved]) {
    if (isLarge) await largeWork.nextPiece();
    await insertParts(db, id, rows);
  }
  // Before the commit, which may write the rows a second time.
  if (isLarge) await largeWork.nextPiece();
}

async function insertParts(db: Kysely<Tables>, id: string, rows: ContentChanges['saved']): Promise<void> {
  if (rows.length === 0) return;
  const bodies = Object.fromEntries(rows.map(({ part, body }) => [part, body]));
  await insertContents(db, { generation_id: id, ...bodies });
}

/** An end that another instance recorded because this one seemed dead, and what replaces it. */
interface AssumedEnd {
  readonly instanceId: string;
  /** @default the end stays */
  readonly refusal: Refusal | undefined;
}

/**
 * Deletes the generation of a create that was never sent or was refused: it also leaves the sums. Keeps one that has ended: clients
 * have seen its end. A cancellation stays; the refusal replaces an end that is an assumption. Call within a transaction.
 */
export async function discardUnlessEnded(
  db: Kysely<Tables>,
  id: string,
  assumed?: AssumedEnd,
): Promise<{ readonly isKept: boolean; readonly released?: RemovedGeneration | GenerationSummary }> {
  const locked = await lockGeneration(db, id);
  if (!locked) return { isKept: false };
  const { summary, endedFor } = locked;
  if (summary.finishedAt === undefined) {
    await countChange(db, summary, undefined);
    await deleteGenerationRows(db, [id]);
    return { isKept: false, released: { id, owner: summary.owner } };
  }
  if (!assumed?.refusal || endedFor !== assumed.instanceId) return { isKept: true };
  const { failure: error, at: finishedAt } = assumed.refusal;
  const failed = await patchGeneration(db, id, () => ({ status: 'FAILED', error, finishedAt }));
  return { isKept: false, ...(failed && { released: failed }) };
}

/**
 * Deletes generations with their contents and tasks. The sums keep them, and their idempotency keys stay until they expire, so
 * that a repeated create is not sent again. Returns those that clients could see. Call within a transaction.
 */
export async function deleteGenerationRows(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<readonly RemovedGeneration[]> {
  if (ids.length === 0) return [];
  await db.deleteFrom('contents').where('generation_id', 'in', ids).execute();
  await db.deleteFrom('tasks').where('generation_id', 'in', ids).execute();
  const deleted = await db
    .deleteFrom('generations')
    .where('id', 'in', ids)
    .returning(['id', 'owner', 'is_visible', 'size_bytes'])
    .execute();
  await countDeleted(db, deleted);
  return deleted.filter((row) => row.is_visible === 1).map(({ id, owner }) => ({ id, owner }));
}
