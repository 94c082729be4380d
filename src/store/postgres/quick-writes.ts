import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Generation, GenerationPatch } from '../records.ts';
import {
  fromSummaryRow,
  summaryColumns,
  type SummaryRow,
  toGenerationChanges,
  type NewRow,
  toGenerationRow,
} from '../sql/generations/generation-rows.ts';
import { toContentChanges } from '../sql/contents/content-rows.ts';
import { toReused } from '../sql/basics/prepared-query.ts';
import type { QuickWrites } from '../sql/generations/quick-writes.ts';
import type { Instances } from '../sql/instances/instances.ts';
import type { ContentRow, CreationRow, Tables } from '../sql/basics/tables.ts';
import { countColumns } from '../sql/owners/usage-days.ts';
import type { Writes } from '../sql/basics/database.ts';
import type { CommonEnd, Deadline, RecordLimits, Settlement } from '../store.ts';
import { countsOf, usageCounts } from '../usage.ts';
import { serverTimeOf } from './postgres-writes.ts';

export interface QuickWritesOptions {
  readonly writes: Pick<Writes, 'statement' | 'createDeadline'>;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly instances: Pick<Instances, 'holdsLease'>;
  readonly recordLimits: RecordLimits | undefined;
}

/**
 * Single statements lock rows in the same order as the transactions: creations, generations, sums, counts of the owner. A row
 * that another transaction changes meanwhile is checked again in its new version, because each statement locks it before it
 * decides (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED).
 */
export function createQuickWrites(options: QuickWritesOptions): QuickWrites {
  const { writes, clock, instanceId, instances, recordLimits } = options;
  /** Limits the waits of a statement, when it has a connection. */
  const run = <Row>(
    build: (add: Add, addExpression: AddExpression) => string,
    deadline: Deadline = writes.createDeadline(),
  ): Promise<readonly Row[]> =>
    writes.statement(async (db: Kysely<Tables>) => {
      const values: unknown[] = [];
      const add: Add = (value) => `$${values.push(value)}`;
      const addExpression: AddExpression = (expression) => {
        const { sql, parameters } = expression.compile(db);
        return sql.replaceAll(/\$(\d+)/g, (_text, position) => add(parameters[Number(position) - 1]));
      };
      const text = `with ${toLimits(add, serverTimeOf(deadline))}, ${build(add, addExpression)}`;
      // The caller names the columns of its statement.
      return (await db.executeQuery<Row>(toReused(CompiledQuery.raw(text, values)))).rows;
    }, deadline);

  return {
    async claim(creation, generation, { deadline, contents: { texts } }) {
      // A visible generation is counted in the sums of its day.
      if (generation.isVisible) return false;
      const rows = await run(
        (add, addExpression) =>
          claimStatement(add, {
            creation,
            holdsLease: addExpression(instances.holdsLease(clock.now())),
            generation: toGenerationRow(generation, instanceId),
            contents: toContentChanges(generation.id, generation, texts).saved,
            recordLimits,
          }),
        deadline,
      );
      return rows.length > 0;
    },
    async settle(creationId, settlement) {
      const patch = toAcceptance(settlement);
      if (!patch) return undefined;
      const [row] = await run<SummaryRow>((add) => settleStatement(add, creationId));
      return row && { ...fromSummaryRow(row), ...patch };
    },
    async end(id, end, { texts, removesParts = false }) {
      const { saved, removed } = toContentChanges(id, end, texts);
      if (!isPlainEnd(end) || removed.length > 0) return undefined;
      const [row] = await run<SummaryRow>((add) =>
        endStatement(add, { id, end, contents: saved, removesParts }),
      );
      const { prompt: _prompt, input: _input, output: _output, raw: _raw, ...patch } = end;
      return row && { ...fromSummaryRow(row), ...patch };
    },
  };
}

/** Adds a value to a statement. Returns the expression that stands for it. */
type Add = (value: unknown) => string;
/** Adds an expression of Kysely to a statement. */
type AddExpression = (expression: RawBuilder<unknown>) => string;

/** Limits each wait for a lock. `statement_timeout` would apply to the next statement only. */
function toLimits(add: Add, remainingMs: number): string {
  return `limits as materialized (select set_config('lock_timeout', ${add(`${remainingMs}ms`)}, true))`;
}

interface ClaimValues {
  readonly creation: CreationRow;
  /** Expression. */
  readonly holdsLease: string;
  readonly generation: NewRow;
  readonly contents: readonly Partial<ContentRow>[];
  readonly recordLimits: RecordLimits | undefined;
}

/** With fewer free records, the transaction claims: it counts claims that run at the same time. */
const minFreeRecords = 20;

function claimStatement(
  add: Add,
  { creation, holdsLease, generation, contents, recordLimits }: ClaimValues,
): string {
  const bytes = contents.reduce((sum, { body = '' }) => sum + Buffer.byteLength(body), 0);
  const row = { ...generation, size_bytes: bytes };
  const isNearlyFull =
    recordLimits &&
    `exists (
        select from owner_records where owner = ${add(generation.owner)} and (
          records > ${add(recordLimits.maxRecords - minFreeRecords)}::bigint or bytes >= ${add(recordLimits.maxBytes)}::bigint
        )
      )`;
  return `
    creation as (
      insert into creations (${Object.keys(creation).join(', ')})
      select ${addColumns(add, creation)} from limits
      where ${holdsLease} ${isNearlyFull ? `and not ${isNearlyFull}` : ''}
      on conflict (owner, key) do nothing
      returning id
    ), generation as (
      insert into generations (${Object.keys(row).map(quote).join(', ')})
      select ${addColumns(add, row)} from creation
      returning id, owner, size_bytes
    ), content as (${insertContents(add, contents, 'generation')}
    ), owner as (
      insert into owner_records (owner, records, bytes)
      select owner, 1, size_bytes from generation
      on conflict (owner) do update set
        records = owner_records.records + excluded.records,
        bytes = owner_records.bytes + excluded.bytes
    )
    select id from creation`;
}

function addColumns(add: Add, row: object): string {
  return Object.values(row)
    .map((value) => `${add(value)}::${typeof value === 'string' ? 'text' : 'bigint'}`)
    .join(', ');
}

function insertContents(add: Add, contents: readonly Partial<ContentRow>[], source: string): string {
  const rows = contents.map(
    ({ part, body }) => `select id, ${add(part)}::text, ${add(body)}::text from ${source}`,
  );
  if (rows.length === 0) return 'select';
  return `
      insert into contents (generation_id, part, body)
      ${rows.join(' union all ')}
      on conflict (generation_id, part) do update set body = excluded.body`;
}

type Acceptance = Pick<GenerationPatch, 'isVisible'>;

/** The patch of a create that only becomes visible. */
function toAcceptance(settlement: Settlement): Acceptance | undefined {
  const { phase, generation, task, accessToken, clonedVoiceId } = settlement;
  const isOther = task !== undefined || accessToken !== undefined || clonedVoiceId !== undefined;
  if (phase !== 'SETTLED' || isOther || generation?.isVisible !== true) return undefined;
  return Object.keys(generation).length === 1 ? generation : undefined;
}

const columns = summaryColumns.map(quote).join(', ');
/** Evaluated before any lock. Scalar subqueries take less planning than joins. */
const isLimited = '(select set_config from limits) is not null';
/** The sum of the stored generation, if it exists already. Otherwise the transaction creates it. */
const isSum = `(owner, day, kind, model, group_id) =
        (select owner, created_at / 86400000, kind, model, group_id from stored)`;

function settleStatement(add: Add, creationId: string): string {
  const id = add(creationId);
  return `
    creation as (
      select subject_id from creations where id = ${id} and phase <> 'SETTLED' and ${isLimited} for update
    ), stored as (
      select ${columns} from generations
      where id = (select subject_id from creation) and finished_at is null and is_visible = 0 and "usage" is null
      for update
    ), counted as (
      update usage_days set generations = generations + 1 where ${isSum} returning 1
    ), changed as (
      update generations set is_visible = 1 where id = (select id from stored) and exists (select from counted)
    ), settled as (
      update creations set phase = 'SETTLED'
      where id = ${id} and key is not null and exists (select from counted)
    ), removed as (
      delete from creations where id = ${id} and key is null and exists (select from counted)
    )
    select * from stored where exists (select from counted)`;
}

const isPart = `part > 'output' and part < 'output~'`;

/** Deletes the parts of outputs that the statement writes whole. */
function deleteParts(ids: string): string {
  return `without_parts as (delete from contents where generation_id in (${ids}) and ${isPart})`;
}

interface EndValues {
  readonly id: string;
  readonly end: PlainEnd;
  readonly contents: readonly Partial<ContentRow>[];
  readonly removesParts: boolean;
}

type PlainEnd = GenerationPatch & Pick<CommonEnd, 'finishedAt'> & Pick<Generation, 'status'>;

/** Whether an end changes nothing but the end, the counts and the contents. */
function isPlainEnd(end: GenerationPatch): end is PlainEnd {
  const others = ['model', 'collection', 'taskId', 'openTask'];
  return end.finishedAt !== undefined && end.status !== undefined && !others.some((name) => name in end);
}

/**
 * Has no result if another write holds the generation: a statement that waited for it would count the bytes of contents that
 * the other one has replaced.
 */
function endStatement(add: Add, { id, end, contents, removesParts }: EndValues): string {
  const after = { ...end, isVisible: true };
  const [old, now] = [countsOf({ ...after, finishedAt: undefined, usage: undefined }), countsOf(after)];
  const counts = usageCounts.filter((count) => old[count] !== now[count]);
  const sums = counts.map((count) => {
    const column = countColumns[count];
    return `${column} = ${column} + ${add(now[count] - old[count])}::bigint`;
  });
  const changes = Object.entries(toGenerationChanges(end, after));
  const sizes = changes.filter(([name]) => name === 'usage' || name === 'error').map(([, value]) => value);
  const bytes = [...sizes, ...contents.map(({ body }) => body)].reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0),
    0,
  );
  const parts = contents.map(({ part }) => part);
  const key = add(id);
  return `
    stored as (
      select ${columns}, size_bytes from generations
      where id = ${key} and finished_at is null and is_visible = 1
        and "usage" is null and error is null and task_id is null and ${isLimited}
      for update skip locked
    ), counted as (
      update usage_days set ${sums.join(', ')} where ${isSum} returning ${key}::text as id
    ), content as (${insertContents(add, contents, 'counted')}
    )${removesParts ? `, ${deleteParts('select id from counted')}` : ''}, kept as (
      select coalesce(sum(octet_length(body)), 0) as bytes from contents
      where generation_id = ${key} and part <> all(${add(parts)}::text[])
        ${removesParts ? `and not (${isPart})` : ''}
    ), changed as (
      update generations set
        ${changes.map(([name, value]) => `${quote(name)} = ${add(value)}`).join(', ')},
        size_bytes = ${add(bytes)}::bigint + (select bytes from kept)
      where id = ${key} and exists (select from counted)
      returning size_bytes
    ), owner as (
      update owner_records
      set bytes = bytes + (select size_bytes from changed) - (select size_bytes from stored)
      where owner = (select owner from stored) and exists (select from changed)
    )
    select * from stored where exists (select from counted)`;
}

function quote(name: string): string {
  return `"${name}"`;
}
