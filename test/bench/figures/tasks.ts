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

const goals = { list: { must: 1.3, aim: 0.9 }, aliases: { must: 1.5, aim: 0.9 } };

/** Processor time of an operation that reads 100 music tasks, as a list or with one alias each, by one upstream read. */
export const tasks: Figure = {
  name: 'tasks',
  run: (bench) => withOwnProcesses(bench, (processes) => run(processes)),
};

interface Turn {
  readonly server: ServerUnderTest;
  readonly form: TaskForm;
  readonly count: number;
}

async function run({ start, serve, bench }: OwnProcesses): Promise<readonly Row[]> {
  const upstream = await start<TaskUpstreamCalls>('task-upstream');
  const load = await start<TaskLoadCalls>('task-load');
  const base = { figure: 'tasks', upstreamUrl: await upstream.call('url') };
  const floor = await serve({ ...base, subject: 'floor', program: 'task-floor' });
  const before =
    bench.beforeDirectory === undefined
      ? undefined
      : await serve({ ...base, subject: 'before', program: 'before' });
  const gengraph = await serve({ ...base, subject: 'gengraph', program: 'gengraph' });
  const plain = await serve({ ...base, subject: 'plain-yoga', program: 'task-yoga' });
  const count = bench.isQuick ? 60 : 200;
  const turns = {
    // Cheap, so run more of them.
    floor: { server: floor, form: 'wire', count: 3 * count },
    beforeList: before && { server: before, form: 'list', count },
    gengraphList: { server: gengraph, form: 'list', count },
    plainList: { server: plain, form: 'list', count },
    beforeAliases: before && { server: before, form: 'aliases', count },
    gengraphAliases: { server: gengraph, form: 'aliases', count },
    plainAliases: { server: plain, form: 'aliases', count },
  } as const satisfies Record<string, Turn | undefined>;
  const ask = (turn: Turn, operations: number) => askFor(load, turn, operations);
  // Enough to optimize the hot functions and to adopt every task.
  for (const turn of Object.values(turns)) if (turn) await ask(turn, bench.isQuick ? 200 : 600);

  const { beforeList, beforeAliases } = turns;

  const runRound = async (turn: Turn): Promise<Sample> => {
    await ask(turn, Math.round(turn.count / 10));
    const before = await upstream.call('fetches');
    const sample = await measure(turn.server, () => ask(turn, turn.count));
    assertCount(`operations answered by ${turn.server.subject}`, sample.units, turn.count);
    const reads = (await upstream.call('fetches')) - before;
    assertCount(`upstream reads of ${turn.server.subject}`, reads, turn.count);
    return sample;
  };
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 10,
    maxMs: bench.isQuick ? 5000 : 20_000,
    work: {
      floor: () => runRound(turns.floor),
      beforeList: beforeList && (() => runRound(beforeList)),
      gengraphList: () => runRound(turns.gengraphList),
      plainList: () => runRound(turns.plainList),
      beforeAliases: beforeAliases && (() => runRound(beforeAliases)),
      gengraphAliases: () => runRound(turns.gengraphAliases),
      plainAliases: () => runRound(turns.plainAliases),
    },
  });

  interface Compared {
    readonly before: readonly Sample[];
    readonly own: readonly Sample[];
    readonly others: readonly Sample[];
    readonly goal: { readonly must: number; readonly aim: number };
  }
  const row = (work: string, { before: earlier, own, others, goal }: Compared): Row => {
    const toPlain = ratioOf(own, others);
    return {
      work,
      unit: 'µs',
      floor: microsPerUnit(samples.floor),
      gengraph: microsPerUnit(own),
      plainYoga: microsPerUnit(others),
      ratio: ratioOf(own, samples.floor),
      plainRatio: ratioOf(others, samples.floor),
      before: compareWithBefore(earlier, own, samples.floor),
      goal: { ...goal, value: toPlain.median, measure: 'yoga-ratio' },
      rounds,
      note: `${describe(toPlain)} × plain Yoga with a loader; 1 upstream read each`,
    };
  };
  return [
    row(`${tasksPerOperation} music tasks, a list`, {
      before: samples.beforeList,
      own: samples.gengraphList,
      others: samples.plainList,
      goal: goals.list,
    }),
    row('… an alias each', {
      before: samples.beforeAliases,
      own: samples.gengraphAliases,
      others: samples.plainAliases,
      goal: goals.aliases,
    }),
  ];
}

async function askFor(
  load: Child<TaskLoadCalls>,
  { server: { subject, url }, form }: Turn,
  count: number,
): Promise<number> {
  const ids = subject === 'gengraph' || subject === 'before' ? 'gengraph' : 'upstream';
  return (await load.call('runTaskQueries', { url, form, ids, count })).answered;
}

function describe({ median, low, high }: { median: number; low: number; high: number }): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
