import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type ContentName, contentNames, type Generation, type GenerationSummary } from '../../records.ts';
import type { Store } from '../../store.ts';
import { measureContents, parseTexts, readTexts } from '../contents/contents.ts';
import { joinedParts } from '../contents/output-parts.ts';
import { createPartialOutputs, type PartialOutput } from '../contents/partial-outputs.ts';
import { writeContents } from '../contents/written-contents.ts';
import { isRecordId } from '../basics/columns.ts';
import type { Database, RunRead } from '../basics/database.ts';
import { groupWrites } from '../basics/group-writes.ts';
import type { Tables } from '../basics/tables.ts';
import { abandonmentColumns, isAbandoned } from './abandoned.ts';
import { fromGenerationRow, fromSummaryRow, summaryColumns } from './generation-rows.ts';
import { saveRunning } from './generation-statements.ts';
import { deleteGenerationRows, lockTasks, patchGeneration } from './generation-writes.ts';
import { countGenerations, hasGenerations, listGenerations } from './list-generations.ts';
import type { Instances } from '../instances/instances.ts';
import type { QuickWrites } from './quick-writes.ts';
import { toEndPatch } from './replaced-ends.ts';

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
  | 'deleteGenerations'
>;

export interface GenerationsOptions extends Database {
  /** @default every write is a transaction */
  readonly quickWrites?: QuickWrites | undefined;
  readonly instanceId: string;
  /** Absent if one instance at a time uses the records: all others are dead. */
  readonly instances?: Pick<Instances, 'isDead'> | undefined;
  /** @default at once */
  readonly runRead?: RunRead | undefined;
}

/** Characters of output in one transaction. */
const maxSavedChars = 1_000_000;
const maxSavedOutputs = 500;

export function createGenerationRecords({
  reader,
  writes,
  quickWrites,
  instanceId,
  instances,
  runRead = (_owner, read) => read(),
}: GenerationsOptions): GenerationRecords {
  const saveGrouped = groupWrites<PartialOutput, boolean>({
    keyOf: ({ id }) => id,
    sizeOf: ({ body }) => body.length,
    maxSize: maxSavedChars,
    maxItems: maxSavedOutputs,
    write: async (outputs) => {
      const run = outputs.some(({ removesParts }) => removesParts) ? writes.transaction : writes.statement;
      const saved = await run((db) => saveRunning(db, outputs, instanceId));
      await writes.sync();
      return outputs.map(({ id }) => saved.has(id));
    },
  });
  const partialOutputs = createPartialOutputs(saveGrouped);
  return {
    findGenerations: async (owner, ids) => pickOwned(owner, ids, await readGenerations(reader, ids)),
    findSummaries: async (owner, ids) => pickOwned(owner, ids, await readSummaries(reader, ids)),
    measureContents: (owner, refs) => measureContents(reader, owner, refs),
    findContents: async (owner, refs) =>
      parseTexts(refs, await runRead(owner, () => readTexts(reader, owner, refs))),
    async endGeneration(id, end) {
      const removesParts = end.output !== undefined && partialOutputs.hasParts(id);
      const contents = { ...(await writeContents(end)), removesParts };
      const ended =
        (await quickWrites?.end(id, end, contents)) ??
        (await writes.transaction((transaction) =>
          patchGeneration(
            transaction,
            id,
            (stored, endedFor) =>
              toEndPatch(end, {
                stored,
                endedFor,
                instanceId,
                isAlive: async (other) =>
                  instances !== undefined && !(await instances.isDead(transaction, other)),
              }),
            contents,
          ),
        ));
      if (removesParts) partialOutputs.delete(id);
      // Nobody sees an end that a power failure could undo.
      await writes.sync();
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
    async deleteGenerations(owner, ids, { keepsUnfinished } = {}) {
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
        const deleted = rows.filter((row) => !isKept(row)).map(({ id }) => id);
        await deleteGenerationRows(transaction, deleted);
        return deleted;
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

/** Reads generations of any owner by id. */
async function readGenerations(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Generation>> {
  const wanted = ids.filter(isRecordId);
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('generations')
    .selectAll('generations')
    .select(contentNames.map((name) => bodyOf(name).as(name)))
    .select(joinedParts('generations.id').as('output_parts'))
    .where('generations.id', 'in', wanted)
    .execute();
  return new Map(rows.map((row) => [row.id, fromGenerationRow(row)]));
}

/** SQL expression for a content of a generation. Null if it has none. */
function bodyOf(name: ContentName): RawBuilder<string | null> {
  return sql`(select body from contents where generation_id = generations.id and part = ${sql.lit(name)})`;
}
