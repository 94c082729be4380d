import type { Child } from '../child-process.ts';
import {
  assertCount,
  type Bench,
  type Figure,
  interleave,
  microsPerUnit,
  ratioOf,
  type Row,
  type Sample,
} from '../harness.ts';
import { withOwnProcesses } from '../own-processes.ts';
import type { RecordsCalls } from '../processes/records.ts';

const few = 1000;
const pageSize = 21;

/** Processor time of a page out of a million generations, and of the writes of a create and of a task. */
export const records: Figure = {
  name: 'records',
  run: (bench) => withOwnProcesses(bench, ({ start, bench: own }) => run(own, () => start('records'))),
};

type Filter = Parameters<RecordsCalls['listPages']>[0]['filter'];

interface List {
  readonly work: string;
  readonly filter: Filter;
  readonly depth: number;
  /** Oldest first. */
  readonly fromEnd?: boolean;
}

/** Filters with many and with few matches. */
const lists: readonly List[] = [
  { work: 'newest page, no filter', filter: {}, depth: 0 },
  { work: 'oldest page, no filter', filter: {}, depth: 0, fromEnd: true },
  { work: 'newest page in the middle', filter: {}, depth: 0.5 },
  { work: '… of one kind of a hundred', filter: { kinds: ['ANIMATION'] }, depth: 0 },
  { work: '… of one status', filter: { statuses: ['SUCCEEDED'] }, depth: 0.5 },
  { work: '… of two models', filter: { models: ['model-1', 'model-2'] }, depth: 0 },
  { work: '… of a model, failed', filter: { models: ['model-1'], statuses: ['FAILED'] }, depth: 0 },
  { work: '… of kinds and status, none', filter: { kinds: ['SONG'], statuses: ['RUNNING'] }, depth: 0 },
  { work: '… of a collection', filter: { collection: 'group-333' }, depth: 0 },
];

const counts: readonly { readonly work: string; readonly filter: Filter }[] = [
  { work: 'count, no filter', filter: {} },
  { work: '… of one status', filter: { statuses: ['SUCCEEDED'] } },
  { work: '… of a model, failed', filter: { models: ['model-1'], statuses: ['FAILED'] } },
  { work: '… of a collection', filter: { collection: 'group-333' } },
];
const sums: readonly (Pick<Parameters<RecordsCalls['sumUsage']>[0], 'days' | 'groupBy'> & {
  work: string;
})[] = [
  { work: 'usage of 5 days by day and model', days: 5, groupBy: ['DAY', 'MODEL'] },
  { work: '… of 100 days by day', days: 100, groupBy: ['DAY'] },
];
const sumsPerDay = { few: 10, many: 1000 } as const;

async function run(bench: Bench, start: () => Promise<Child<RecordsCalls>>): Promise<readonly Row[]> {
  const child = await start();
  const many = bench.isQuick ? 100_000 : 1_000_000;
  await child.call('fill', { size: 'few', from: 0, to: few });
  const step = 50_000;
  for (let from = 0; from < many; from += step)
    await child.call('fill', { size: 'many', from, to: Math.min(many, from + step) });
  const rows: Row[] = [];
  for (const list of lists) rows.push(await listRow(bench, child, list, many));
  for (const count of counts) rows.push(await countRow(bench, child, count, many));
  for (const [size, perDay] of [
    ['few', sumsPerDay.few],
    ['many', sumsPerDay.many],
  ] as const)
    await child.call('fillSums', { size, perDay });
  for (const sum of sums) rows.push(await sumRow(bench, child, sum));
  rows.push(...(await writeRows(bench, child, many)));
  for (const chars of [2700, 100_000]) rows.push(await saveRow(bench, child, chars));
  return rows;
}

async function sumRow(
  bench: Bench,
  child: Child<RecordsCalls>,
  { work, days, groupBy }: (typeof sums)[number],
): Promise<Row> {
  const count = bench.isQuick ? 3 : 10;
  const { row } = await compareSizes(bench, count, (size) =>
    child.call('sumUsage', { size, days, groupBy, count }),
  );
  return { ...row, work, note: `of ${sumsPerDay.many} sums a day; floor: ${sumsPerDay.few}` };
}

async function listRow(
  bench: Bench,
  child: Child<RecordsCalls>,
  { work, filter, depth, fromEnd = false }: List,
  many: number,
): Promise<Row> {
  const count = bench.isQuick ? 100 : 300;
  const { row, found } = await compareSizes(bench, count, (size) =>
    child.call('listPages', { size, filter, depth, total: size === 'few' ? few : many, count, fromEnd }),
  );
  const note = `${found.many} of ${pageSize} found among ${many}; floor: ${found.few} among ${few}`;
  return { ...row, work, note };
}

async function countRow(
  bench: Bench,
  child: Child<RecordsCalls>,
  { work, filter }: (typeof counts)[number],
  many: number,
): Promise<Row> {
  const count = bench.isQuick ? 5 : 20;
  const { row, found } = await compareSizes(bench, count, (size) =>
    child.call('countMatches', { size, filter, count }),
  );
  const note = `${found.many} counted among ${many}; floor: ${found.few} among ${few}`;
  return { ...row, work, note };
}

type Size = 'few' | 'many';

/** Runs the same reads among few and among many records, in turns. */
async function compareSizes(
  bench: Bench,
  count: number,
  read: (size: Size) => Promise<{ readonly cpuMicros: number; readonly found?: number }>,
): Promise<{ readonly row: Omit<Row, 'work' | 'note'>; readonly found: Readonly<Record<Size, number>> }> {
  const found: Record<Size, number> = { few: 0, many: 0 };
  const sample = async (size: Size): Promise<Sample> => {
    const done = await read(size);
    found[size] = (done.found ?? 0) / count;
    return { cpuMicros: done.cpuMicros, units: count };
  };
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 1500 : 4000,
    work: { few: () => sample('few'), many: () => sample('many') },
  });
  const row: Omit<Row, 'work' | 'note'> = {
    unit: 'µs',
    floor: microsPerUnit(samples.few),
    gengraph: microsPerUnit(samples.many),
    ratio: ratioOf(samples.many, samples.few),
    rounds,
  };
  return { row, found };
}

/** One second of a chat that grows by this many characters in ten minutes. */
async function saveRow(bench: Bench, child: Child<RecordsCalls>, chars: number): Promise<Row> {
  const chats = bench.isQuick ? 1 : 3;
  const sample = async (done: Promise<{ cpuMicros: number; found: number }>): Promise<Sample> => {
    const { cpuMicros, found } = await done;
    return { cpuMicros, units: found };
  };
  const count = 600 * chats;
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 3000 : 10_000,
    work: {
      plain: () => sample(child.call('insertPlainly', { count, chars: Math.round(chars / 600) })),
      saves: () => sample(child.call('saveOutputs', { chats, chars })),
    },
  });
  return {
    work: 'save of a running chat',
    unit: 'µs',
    floor: microsPerUnit(samples.plain),
    gengraph: microsPerUnit(samples.saves),
    ratio: ratioOf(samples.saves, samples.plain),
    rounds,
    note: `grows to ${chars} characters in 600 saves; floor: an insert of what is new`,
  };
}

async function writeRows(bench: Bench, child: Child<RecordsCalls>, many: number): Promise<readonly Row[]> {
  const count = bench.isQuick ? 200 : 500;
  const sample = async (done: Promise<{ cpuMicros: number; found: number }>): Promise<Sample> => {
    const { cpuMicros, found } = await done;
    assertCount('writes', found, count);
    return { cpuMicros, units: count };
  };
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 3000 : 10_000,
    work: {
      plainCreate: () => sample(child.call('recordPlainly', { count })),
      create: () => sample(child.call('recordCreates', { size: 'many', count })),
      plainTask: () => sample(child.call('updatePlainly', { count })),
      task: () => sample(child.call('saveTasks', { size: 'many', count })),
    },
  });
  const row = (work: string, own: readonly Sample[], floor: readonly Sample[], note: string): Row => ({
    work,
    unit: 'µs',
    floor: microsPerUnit(floor),
    gengraph: microsPerUnit(own),
    ratio: ratioOf(own, floor),
    rounds,
    note: `${note}, among ${many}`,
  });
  return [
    row('writes of a create', samples.create, samples.plainCreate, 'claim and settlement'),
    row('task update', samples.task, samples.plainTask, 'task without a generation'),
  ];
}
