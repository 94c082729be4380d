import {
  assertCount,
  compareWithBefore,
  type Figure,
  interleave,
  measure,
  microsPerUnit,
  ratioOf,
} from '../harness.ts';
import type { Row, Sample, ServerUnderTest } from '../harness.ts';
import type { Child } from '../child-process.ts';
import { type OwnProcesses, withOwnProcesses } from '../own-processes.ts';
import type { TaskLoadCalls } from '../processes/task-load.ts';
import type { TaskUpstreamCalls } from '../processes/task-upstream.ts';
import { type TaskForm, tasksPerOperation } from '../task-workload.ts';

interface Case {
  readonly work: string;
  readonly form: TaskForm;
  /** Tasks of a read that changed since the one before. */
  readonly changed: number;
  readonly callers: number;
  readonly goal: { readonly must: number; readonly aim: number };
}

const unchanged = `${tasksPerOperation} music tasks, unchanged (kind to the cache)`;
const cases: readonly Case[] = [
  { work: `${unchanged}: a list`, form: 'list', changed: 0, callers: 64, goal: { must: 1.3, aim: 0.5 } },
  { work: '… an alias each', form: 'aliases', changed: 0, callers: 64, goal: { must: 1.5, aim: 0.5 } },
  { work: '… a list, 200 callers', form: 'list', changed: 0, callers: 200, goal: { must: 1.3, aim: 0.5 } },
  {
    work: '1 of 100 changed per read: a list',
    form: 'list',
    changed: 1,
    callers: 64,
    goal: { must: 0.8, aim: 0.5 },
  },
  { work: '… an alias each', form: 'aliases', changed: 1, callers: 64, goal: { must: 0.9, aim: 0.5 } },
  {
    work: '10 of 100 changed per read: a list',
    form: 'list',
    changed: 10,
    callers: 64,
    goal: { must: 1.3, aim: 0.9 },
  },
  { work: '… an alias each', form: 'aliases', changed: 10, callers: 64, goal: { must: 1.5, aim: 0.9 } },
];

/** Processor time of an operation that reads 100 music tasks, as a list or with one alias each, by one upstream read. */
export const tasks: Figure = {
  name: 'tasks',
  run: (bench) => withOwnProcesses(bench, (processes) => run(processes)),
};

async function run(processes: OwnProcesses): Promise<readonly Row[]> {
  const { start, serve, bench } = processes;
  const upstream = await start<TaskUpstreamCalls>('task-upstream');
  const load = await start<TaskLoadCalls>('task-load');
  const base = { figure: 'tasks', upstreamUrl: await upstream.call('url') };
  const servers: Servers = {
    floor: await serve({ ...base, subject: 'floor', program: 'task-floor' }),
    before:
      bench.beforeDirectory === undefined
        ? undefined
        : await serve({ ...base, subject: 'before', program: 'before' }),
    gengraph: await serve({ ...base, subject: 'gengraph', program: 'gengraph' }),
    plain: await serve({ ...base, subject: 'plain-yoga', program: 'task-yoga' }),
  };
  const rows: Row[] = [];
  for (const oneCase of cases) rows.push(await measureCase(oneCase, { processes, upstream, load, servers }));
  return rows;
}

interface Servers {
  readonly floor: ServerUnderTest;
  readonly before: ServerUnderTest | undefined;
  readonly gengraph: ServerUnderTest;
  readonly plain: ServerUnderTest;
}

interface Parts {
  readonly processes: OwnProcesses;
  readonly upstream: Child<TaskUpstreamCalls>;
  readonly load: Child<TaskLoadCalls>;
  readonly servers: Servers;
}

async function measureCase(oneCase: Case, parts: Parts): Promise<Row> {
  const { upstream, load, servers } = parts;
  const { bench } = parts.processes;
  await upstream.call('setChangedTasks', oneCase.changed);
  const ask = async (server: ServerUnderTest, operations: number): Promise<number> => {
    const { subject, url } = server;
    const { answered } = await load.call('runTaskQueries', {
      url,
      form: subject === 'floor' ? 'wire' : oneCase.form,
      ids: subject === 'gengraph' || subject === 'before' ? 'gengraph' : 'upstream',
      count: operations,
      callers: oneCase.callers,
      isChanging: oneCase.changed > 0,
    });
    return answered;
  };
  // Enough to optimize the hot functions and to adopt every task.
  for (const server of Object.values(servers)) if (server) await ask(server, bench.isQuick ? 200 : 600);
  const runRound = async (server: ServerUnderTest, count: number): Promise<Sample> => {
    await ask(server, Math.round(count / 10));
    const before = await upstream.call('fetches');
    const sample = await measure(server, () => ask(server, count));
    assertCount(`operations answered by ${server.subject}`, sample.units, count);
    const reads = (await upstream.call('fetches')) - before;
    assertCount(`upstream reads of ${server.subject}`, reads, count);
    return sample;
  };
  const { before } = servers;
  const count = bench.isQuick ? 60 : 200;
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 10,
    maxMs: bench.isQuick ? 3000 : 8000,
    work: {
      // Cheap, so run more of them.
      floor: () => runRound(servers.floor, 3 * count),
      before: before && (() => runRound(before, count)),
      gengraph: () => runRound(servers.gengraph, count),
      plain: () => runRound(servers.plain, count),
    },
  });
  const toPlain = ratioOf(samples.gengraph, samples.plain);
  return {
    work: oneCase.work,
    unit: 'µs',
    floor: microsPerUnit(samples.floor),
    gengraph: microsPerUnit(samples.gengraph),
    plainYoga: microsPerUnit(samples.plain),
    ratio: ratioOf(samples.gengraph, samples.floor),
    plainRatio: ratioOf(samples.plain, samples.floor),
    before: compareWithBefore(samples.before, samples.gengraph, samples.floor),
    goal: { ...oneCase.goal, value: toPlain.median, measure: 'yoga-ratio' },
    rounds,
    note: `${describe(toPlain)} × plain Yoga with a loader; 1 upstream read each`,
  };
}

function describe({ median, low, high }: { median: number; low: number; high: number }): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
