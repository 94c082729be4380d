import { spawnSync } from 'node:child_process';
import type { Child } from '../child-process.ts';
import { compareValues } from '../compare-values.ts';
import { assertCount, type Figure, type Row, type ServerUnderTest, type Subject } from '../harness.ts';
import { createForeignLoad } from '../machine-load.ts';
import { type OwnProcesses, withOwnProcesses } from '../own-processes.ts';
import type { Memory } from '../processes/server-calls.ts';
import type { TaskUpstreamCalls } from '../processes/task-upstream.ts';
import type { WatchLoadCalls } from '../processes/watch-load.ts';

const watchers = 5000;
const subscriptionsPerSocket = 20;
const goals = {
  single: { must: 13, aim: 10 },
  many: { must: 8, aim: 4 },
  /** Two percent of a core for 10,000. */
  idleMs: { must: (20 * watchers) / 10_000 },
};
/** Heartbeat interval. The window is a multiple of it, so that it contains whole rounds of pings. */
const pingSeconds = 25;
/** Minimum poll interval of `watched-gengraph.ts`, less its jitter. */
const minPollSeconds = 2 * 0.8;

/** Memory and idle processor time of subscriptions to unchanging tasks, one or many per socket. */
export const idleWatchers: Figure = {
  name: 'idle-watchers',
  run: (bench) => withOwnProcesses(bench, (processes) => run(processes)),
};

/** A server and its subscribers. */
interface Watching {
  readonly server: ServerUnderTest;
  readonly load: Child<WatchLoadCalls>;
  readonly credential: string;
  readonly each: number;
  readonly subscriptions: number;
  /** After the first tenth of the subscriptions. */
  readonly memoryBefore: Memory;
  /** The same without a forced garbage collection. */
  readonly residentBefore: number;
  /** Number of subscriptions after that. */
  readonly added: number;
}

interface Idling {
  /** Without a forced garbage collection. */
  readonly residentKb: number;
  readonly collectedKb: number;
  readonly heldKb: number;
  readonly cpuMsPerSecond: number;
  readonly upstreamReads: number;
  /** Major garbage collections. */
  readonly collections: number;
}

/** Sockets and subscriptions per socket. */
interface Form {
  readonly sockets: number;
  readonly each: number;
}

type Measured = Watching & Idling;

async function run(processes: OwnProcesses): Promise<readonly Row[]> {
  const { bench, start } = processes;
  const upstream = await start<TaskUpstreamCalls>('task-upstream');
  const upstreamUrl = await upstream.call('url');
  const count = Math.min(watchers, maxSockets());
  const single = { sockets: count, each: 1 };
  const many = { sockets: Math.ceil(count / subscriptionsPerSocket), each: subscriptionsPerSocket };
  const subjects: readonly Subject[] =
    bench.beforeDirectory === undefined ? ['gengraph', 'plain-yoga'] : ['before', 'gengraph', 'plain-yoga'];
  // Opened one after the other to measure memory. Then all idle together, because each alone does very little.
  const opened: Watching[] = [await openAll(processes, { ...single, subject: 'floor', upstreamUrl })];
  for (const form of [single, many])
    for (const subject of subjects) opened.push(await openAll(processes, { ...form, subject, upstreamUrl }));

  const seconds = bench.isQuick ? pingSeconds : 2 * pingSeconds;
  const foreignLoad = createForeignLoad(bench.processIds);
  // Wait for all before failing: calls in flight need their processes.
  const settled = await Promise.allSettled(
    opened.map((watching) => idle(processes, { watching, upstream, seconds })),
  );
  const measured = settled.map((result, index): Measured => {
    if (result.status === 'rejected') throw result.reason;
    const watching = opened[index];
    if (!watching) throw new Error('nothing idled');
    return { ...watching, ...result.value };
  });
  const rounds = { run: 1, kept: 1, foreignShare: foreignLoad.next() };

  const rows = (form: Form, goal: { readonly must: number; readonly aim: number }): readonly Row[] => {
    const of = (subject: Subject) =>
      measured.filter(({ server, each }) => server.subject === subject && each === form.each);
    const [own] = of('gengraph');
    if (!own) throw new Error('nothing idled');
    const row = (pick: (measured: Measured) => number) => ({
      ...compareValues({
        // The floor has one subscription per socket. With more, its share of a socket counts.
        floor: measured
          .filter(({ server }) => server.subject === 'floor')
          .map((one) => pick(one) / form.each),
        before: of('before').map(pick),
        gengraph: of('gengraph').map(pick),
        plain: of('plain-yoga').map(pick),
      }),
      rounds,
    });
    return [
      {
        ...row(({ residentKb }) => residentKb),
        work: `idle watcher, ${form.sockets} sockets × ${form.each}`,
        unit: 'KB',
        // With fewer subscribers the noise of the memory exceeds their share.
        goal: count < watchers ? undefined : { ...goal, value: own.residentKb, measure: 'value' },
        note: 'resident memory per subscription',
      },
      {
        ...row(({ collectedKb }) => collectedKb),
        work: '… after garbage collection',
        unit: 'KB',
      },
      {
        ...row(({ heldKb }) => heldKb),
        work: '… of it JavaScript',
        unit: 'KB',
        note: 'heap and buffers',
      },
      {
        ...row(({ cpuMsPerSecond }) => cpuMsPerSecond),
        work: '… idle, of all, per second',
        unit: 'ms',
        goal: count < watchers ? undefined : { ...goals.idleMs, value: own.cpuMsPerSecond, measure: 'value' },
        note: `${(own.cpuMsPerSecond / 10).toFixed(2)} % of a core, pings included; ${own.upstreamReads} upstream reads and ${own.collections} major garbage collections in ${seconds} s`,
      },
    ];
  };
  return [...rows(single, goals.single), ...rows(many, goals.many)];
}

interface OpenOptions extends Form {
  readonly subject: Subject;
  readonly upstreamUrl: string;
}

const programs: Readonly<Record<Subject, string>> = {
  floor: 'task-floor',
  before: 'watched-gengraph',
  gengraph: 'watched-gengraph',
  'plain-yoga': 'task-yoga',
};

/** One-time costs (code, pools, young generation) are paid by the first few subscribers. */
async function openAll(
  { start, serve }: OwnProcesses,
  { subject, sockets, each, upstreamUrl }: OpenOptions,
): Promise<Watching> {
  // Separate client processes: one process may not be allowed to open all sockets.
  const load = await start<WatchLoadCalls>('watch-load');
  const server = await serve({
    subject,
    program: programs[subject],
    upstreamUrl,
  });
  const credential = `Bearer sk-${subject}-${each}`;
  const protocol = subject === 'floor' ? 'raw' : 'graphql';
  const ids = subject === 'plain-yoga' ? 'upstream' : 'gengraph';
  const openMore = async (count: number): Promise<void> => {
    // In batches, because a call has a timeout.
    for (let left = count; left > 0; left -= 1000) {
      const part = { sockets: Math.min(1000, left), subscriptionsPerSocket: each };
      await load.call('openWatchers', { url: server.url, protocol, credential, ids, ...part });
    }
  };
  const first = Math.ceil(sockets / 10);
  await openMore(first);
  const residentBefore = await server.process.call('residentBytes');
  const before = await server.process.call('memory');
  await openMore(sockets - first);
  const subscriptions = sockets * each;
  assertCount(`first events from ${subject}`, (await load.call('watched')).events, subscriptions);
  return {
    server,
    load,
    credential,
    each,
    subscriptions,
    residentBefore,
    memoryBefore: before,
    added: (sockets - first) * each,
  };
}

interface IdleOptions {
  readonly watching: Watching;
  readonly upstream: Child<TaskUpstreamCalls>;
  readonly seconds: number;
}

async function idle(
  { profile }: OwnProcesses,
  { watching, upstream, seconds }: IdleOptions,
): Promise<Idling> {
  const { server, load, credential, each, subscriptions, memoryBefore, residentBefore, added } = watching;
  const pingsBefore = (await load.call('watched')).pings;
  const readsBefore = await upstream.call('fetchesOf', credential);
  await server.process.call('startCollections');
  const cpuBefore = await server.process.call('cpuMicros');
  const startedAt = performance.now();
  await profile(
    server,
    `idle-watchers-${each}`,
    () => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  );
  const cpuMicros = (await server.process.call('cpuMicros')) - cpuBefore;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const collections = await server.process.call('stopCollections');
  const upstreamReads = (await upstream.call('fetchesOf', credential)) - readsBefore;
  const { events, pings } = await load.call('watched');
  // Nothing changed, so there must be no event.
  assertCount(`events from ${server.subject}`, events, subscriptions);
  if (pings === pingsBefore) throw new Error(`${server.subject} sent no ping`);
  // All subscribe to the same tasks, so one request reads all of them.
  const maxReads = Math.ceil(elapsedSeconds / minPollSeconds) + 1;
  if (server.subject === 'gengraph' && (upstreamReads < 2 || upstreamReads > maxReads))
    throw new Error(`upstream reads: ${upstreamReads}, expected 2 to ${maxReads}`);
  const residentBytes = await server.process.call('residentBytes');
  const collected = await server.process.call('memory');
  return {
    cpuMsPerSecond: cpuMicros / 1000 / elapsedSeconds,
    upstreamReads,
    collections,
    residentKb: (residentBytes - residentBefore) / added / 1024,
    collectedKb: (collected.residentBytes - memoryBefore.residentBytes) / added / 1024,
    heldKb: (collected.heldBytes - memoryBefore.heldBytes) / added / 1024,
  };
}

/** Available file descriptors of a process, less a reserve. Node raises its limit to the hard limit. */
function maxSockets(): number {
  const limit = Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout);
  return Number.isFinite(limit) && limit > 0 ? limit - 500 : Number.POSITIVE_INFINITY;
}
