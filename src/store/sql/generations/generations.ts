import type { Kysely } from 'kysely';
import type { Generation, GenerationPatch, GenerationSummary } from '../../records.ts';
import type { Store } from '../../store.ts';
import { abandonmentColumns, isAbandoned } from './abandoned.ts';
import { measureContents, parseTexts, readTexts } from '../contents/contents.ts';
import { changesSize, countDeleted, countGrowth, countInserted, sizeOfRow } from '../owners/owner-records.ts';
import { countGenerations, hasGenerations, listGenerations } from './list-generations.ts';
import {
  deleteOutputParts,
  insertContents,
  insertRow,
  type PartialOutput,
  saveRunning,
  selectForUpdate,
  updateRow,
  updateRowAndSize,
} from './generation-statements.ts';
import { groupWrites } from '../shared/group-writes.ts';
import { joinedParts } from '../contents/output-parts.ts';
import { createPartialOutputs } from '../contents/partial-outputs.ts';
import { toEndPatch } from './replaced-ends.ts';
import {
  type ContentChanges,
  fromGenerationRow,
  fromSummaryRow,
  isRecordId,
  summaryColumns,
  toContentChanges,
  toGenerationChanges,
  toGenerationRow,
} from '../shared/rows.ts';
import type { SqlStoreOptions } from '../sql-store.ts';
import type { Tables } from '../shared/tables.ts';
import { addToSums, changesOf, countChange, type SumChange } from '../usage/usage-days.ts';
import { noContents, writeContents, type WrittenContents } from '../contents/written-contents.ts';

type GenerationRecords = Pick<
  Store,
  | 'findGenerations'
  | 'findSummaries'
  | 'measureContents'
  | 'findContents'
  | 'endGeneration'
  | 'saveOutput'
  | 'findEnded'
  | 'hasGenerations'
  | 'countGenerations'
  | 'listGenerations'
  | 'forgetGenerations'
>;

/** Characters of output in one transaction. */
const maxSavedChars = 1_000_000;
const maxSavedOutputs = 500;

export function createGenerationRecords({
  reader,
  writes,
  quickWrites,
  instanceId,
  pauses,
  runRead = (_owner, read) => read(),
}: SqlStoreOptions): GenerationRecords {
  const saveTogether = groupWrites<PartialOutput, boolean>({
    keyOf: ({ id }) => id,
    sizeOf: ({ body }) => body.length,
    maxSize: maxSavedChars,
    maxItems: maxSavedOutputs,
    write: async (outputs) => {
      const run = outputs.some(({ removesParts }) => removesParts) ? writes.transaction : writes.statement;
      const saved = await run((db) => saveRunning(db, outputs, instanceId));
      return outputs.map(({ id }) => saved.has(id));
    },
  });
  const partialOutputs = createPartialOutputs({ pauses, write: saveTogether });
  return {
    findGenerations: async (owner, ids) => pickOwned(owner, ids, await readGenerations(reader, ids)),
    findSummaries: async (owner, ids) => pickOwned(owner, ids, await readSummaries(reader, ids)),
    measureContents: (owner, refs) => measureContents(reader, owner, refs),
    findContents: async (owner, refs) =>
      parseTexts(await runRead(owner, () => readTexts(reader, owner, refs)), pauses),
    async endGeneration(id, end) {
      const removesParts = end.output !== undefined && partialOutputs.hasParts(id);
      const contents = { ...(await writeContents(end, pauses)), removesParts };
      const ended =
        (await quickWrites?.end(id, end, contents)) ??
        (await writes.transaction((transaction) =>
          patchGeneration(
            transaction,
            id,
            (stored, endedFor) => toEndPatch(end, { stored, endedFor, instanceId }),
            contents,
          ),
        ));
      if (removesParts) partialOutputs.delete(id);
      return ended;
    },
    saveOutput: partialOutputs.save,
    async findEnded(ids) {
      // One statement over two index ranges, regardless of the number of ids.
      const rows = await reader
        .selectFrom('generations')
        .select('id')
        .where('instance_id', '=', instanceId)
        .unionAll(reader.selectFrom('generations').select('id').where('ended_for', '=', instanceId))
        .execute();
      const running = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !running.has(id));
    },
    hasGenerations: (owner, filter) => hasGenerations(reader, { owner, filter }),
    countGenerations: (owner, filter, limit) =>
      inSnapshot(reader, (transaction) => countGenerations(transaction, { owner, filter, limit })),
    listGenerations: (owner, filter, page) =>
      inSnapshot(reader, async (transaction) => {
        const ids = await listGenerations(transaction, { owner, filter, page });
        const found = await readSummaries(transaction, ids);
        return ids.flatMap((id) => found.get(id) ?? []);
      }),
    async forgetGenerations(owner, ids, { keepsUnfinished } = {}) {
      const wanted = ids.filter(isRecordId);
      if (wanted.length === 0) return [];
      return writes.transaction(async (transaction) => {
        await lockTasks(transaction, wanted);
        const rows = await transaction
          .selectFrom('generations')
          .select(['id', 'finished_at', ...abandonmentColumns])
          .where('id', 'in', wanted)
          .where('owner', '=', owner)
          .where('instance_id', 'is', null)
          .orderBy('id')
          .forUpdate()
          .execute();
        const isKept = (row: (typeof rows)[number]): boolean =>
          keepsUnfinished !== undefined && row.finished_at === null && !isAbandoned(row, keepsUnfinished);
        const forgotten = rows.filter((row) => !isKept(row)).map(({ id }) => id);
        await deleteGenerations(transaction, forgotten);
        return forgotten;
      });
    },
  };
}

/** Runs several queries on the same snapshot. */
function inSnapshot<Result>(
  db: Kysely<Tables>,
  read: (transaction: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute((transaction) => read(transaction));
}

function pickOwned<Found extends GenerationSummary>(
  owner: string,
  ids: readonly string[],
  found: ReadonlyMap<string, Found>,
): readonly (Found | undefined)[] {
  return ids.map((id) => {
    const generation = found.get(id);
    return generation?.owner === owner ? generation : undefined;
  });
}

/** Reads generations of any owner by id, without their contents. */
async function readSummaries(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GenerationSummary>> {
  const wanted = ids.filter(isRecordId);
  if (wanted.length === 0) return new Map();
  const rows = await db.selectFrom('generations').select(summaryColumns).where('id', 'in', wanted).execute();
  return new Map(rows.map((row) => [row.id, fromSummaryRow(row)]));
}

interface LockedGeneration {
  readonly summary: GenerationSummary;
  readonly sizeBytes: number;
  /** The instance that may replace its end. */
  readonly endedFor: string | undefined;
}

/** The patch for a stored generation. `endedFor`: the instance that may replace its end. */
type Change = (before: GenerationSummary, endedFor: string | undefined) => GenerationPatch;

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

/** Reads generations of any owner by id. */
export async function readGenerations(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Generation>> {
  const wanted = ids.filter(isRecordId);
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('generations')
    .leftJoin('contents as p', (join) =>
      join.onRef('p.generation_id', '=', 'generations.id').on('p.part', '=', 'prompt'),
    )
    .leftJoin('contents as i', (join) =>
      join.onRef('i.generation_id', '=', 'generations.id').on('i.part', '=', 'input'),
    )
    .leftJoin('contents as o', (join) =>
      join.onRef('o.generation_id', '=', 'generations.id').on('o.part', '=', 'output'),
    )
    .leftJoin('contents as r', (join) =>
      join.onRef('r.generation_id', '=', 'generations.id').on('r.part', '=', 'raw'),
    )
    .selectAll('generations')
    .select(['p.body as prompt', 'i.body as input', 'o.body as output', 'r.body as raw'])
    .select(joinedParts('generations.id').as('output_parts'))
    .where('generations.id', 'in', wanted)
    .execute();
  return new Map(rows.map((row) => [row.id, fromGenerationRow(row)]));
}

/** Call within a transaction. @throws RecordsFullError */
export async function insertGeneration(
  db: Kysely<Tables>,
  generation: Generation,
  { instanceId, recordLimits }: Pick<SqlStoreOptions, 'instanceId' | 'recordLimits'>,
  { texts, pauses }: WrittenContents = noContents,
): Promise<void> {
  const { saved } = toContentChanges(generation.id, generation, texts);
  const columns = toGenerationRow(generation, instanceId);
  const row = { ...columns, size_bytes: sizeOfRow(columns, saved) };
  await insertRow(db, row);
  await insertInPieces(db, generation.id, { saved, pauses });
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
  const patch = change(before, endedFor);
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
  { texts, pauses, removesParts }: WrittenContents,
): Promise<void> {
  const { saved, removed } = toContentChanges(id, patch, texts);
  await insertInPieces(db, id, { saved, pauses });
  if (removesParts) await deleteOutputParts(db, { id });
  if (removed.length > 0)
    await db.deleteFrom('contents').where('generation_id', '=', id).where('part', 'in', removed).execute();
}

async function insertInPieces(
  db: Kysely<Tables>,
  id: string,
  { saved, pauses }: Pick<ContentChanges, 'saved'> & { readonly pauses: WrittenContents['pauses'] },
): Promise<void> {
  const batches = pauses ? saved.map((row) => [row]) : [saved];
  for (const rows of batches) {
    await pauses?.next();
    await insertParts(db, id, rows);
  }
  // Before the commit, which may write the rows a second time.
  await pauses?.next();
}

async function insertParts(db: Kysely<Tables>, id: string, rows: ContentChanges['saved']): Promise<void> {
  if (rows.length === 0) return;
  const bodies = Object.fromEntries(rows.map(({ part, body }) => [part, body]));
  await insertContents(db, { generation_id: id, ...bodies });
}

/** Deletes the generation of a create that was never sent or was refused: it also leaves the sums. Call within a transaction. */
export async function discardGeneration(db: Kysely<Tables>, id: string): Promise<void> {
  await countChange(db, (await lockGeneration(db, id))?.summary, undefined);
  await deleteGenerations(db, [id]);
}

/**
 * Deletes generations with their contents and tasks. The sums keep them, and their idempotency keys stay until they expire, so
 * that a repeated create is not sent again. Call within a transaction.
 */
export async function deleteGenerations(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom('contents').where('generation_id', 'in', ids).execute();
  await db.deleteFrom('tasks').where('generation_id', 'in', ids).execute();
  const deleted = await db
    .deleteFrom('generations')
    .where('id', 'in', ids)
    .returning(['owner', 'size_bytes'])
    .execute();
  await countDeleted(db, deleted);
}
