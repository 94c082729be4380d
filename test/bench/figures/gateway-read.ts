import type { Child } from '../child-process.ts';
import {
  assertCount,
  type Figure,
  interleave,
  type Row,
  type Sample,
  serverNodeOptions,
  type Subject,
} from '../harness.ts';
import { type OwnProcesses, withOwnProcesses } from '../own-processes.ts';
import type { GatewayReadCalls } from '../processes/gateway-reads.ts';
import type { TaskUpstreamCalls } from '../processes/task-upstream.ts';
import { readRequests, type ReadWork } from '../read-workload.ts';
import { compareCosts } from '../servers.ts';
import { tasksPerOperation } from '../task-workload.ts';
import { voiceCount } from '../workload.ts';

const concurrency = 16;
const goal = { must: 1.5, aim: 1.25, measure: 'ratio' } as const;

/** Processor time of one read of a JSON document by the gateway client. */
export const gatewayRead: Figure = {
  name: 'gateway-read',
  run: (bench) => withOwnProcesses(bench, run),
};

async function run(processes: OwnProcesses): Promise<readonly Row[]> {
  const taskUpstream = await processes.start<TaskUpstreamCalls>('task-upstream');
  const voices = await compareReaders(processes, 'voices', await processes.bench.upstream.call('url'));
  const tasks = await compareReaders(processes, 'tasks', await taskUpstream.call('url'));
  return [
    { ...voices, work: `gateway read, ${voiceCount} voices` },
    { ...tasks, work: `… ${tasksPerOperation} tasks` },
  ];
}

/** With new processes: other replies would change how the JIT compilers optimize a process. */
async function compareReaders(
  { bench, startSubject }: OwnProcesses,
  work: ReadWork,
  upstreamUrl: string,
): Promise<Omit<Row, 'work'>> {
  const start = (subject: Subject) =>
    startSubject<GatewayReadCalls>({
      subject,
      program: 'gateway-reads',
      upstreamUrl,
      figure: `gateway-read-${work}`,
      settings: { reader: subject === 'floor' ? 'dispatch' : 'client' },
      nodeOptions: serverNodeOptions(bench, 'gengraph'),
    });
  const floor = await start('floor');
  const before = bench.beforeDirectory === undefined ? undefined : await start('before');
  const gengraph = await start('gengraph');
  const count = bench.isQuick ? 1000 : 3000;
  const readFrom = (child: Child<GatewayReadCalls>) => async (): Promise<Sample> => {
    const read = (reads: number) => child.call('readMany', { work, count: reads, concurrency });
    // Warms up the processor caches after the turns of other subjects.
    await read(Math.round(count / 10));
    const { cpuMicros, found } = await read(count);
    assertCount(`entries of ${work}`, found, count * readRequests[work].entries);
    return { cpuMicros, units: count };
  };
  const turns = {
    floor: readFrom(floor),
    before: before && readFrom(before),
    gengraph: readFrom(gengraph),
  };
  for (let pass = 0; pass < 5; pass += 1) for (const turn of Object.values(turns)) await turn?.();
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 8 : 20,
    maxMs: bench.isQuick ? 5000 : 20_000,
    work: turns,
  });
  const costs = compareCosts(samples);
  return { ...costs, goal: { ...goal, value: costs.ratio.median }, rounds };
}
