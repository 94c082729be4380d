import { spawnSync } from 'node:child_process';
import type { Child } from '../child-process.ts';
import { assertCount, type Figure, type Row, type ServerUnderTest } from '../harness.ts';
import { createForeignLoad } from '../machine-load.ts';
import { type OwnProcesses, withOwnProcesses } from '../own-processes.ts';
import type { TaskUpstreamCalls } from '../processes/task-upstream.ts';
import type { WatchLoadCalls } from '../processes/watch-load.ts';
import { spreadOf } from '../statistics.ts';

const budgetKb = 14;
/** Per second: two percent of a core. */
const budgetMs = 20;
const budgetWatchers = 10_000;
const subscriptionsPerSocket = 20;
/** Heartbeat interval. The window is a multiple of it, so that it contains whole rounds of pings. */
const pingSeconds = 12;
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
  readonly watchers: number;
  readonly residentKb: number;
  readonly heldKb: number;
}

interface Idling {
  readonly cpuMsPerSecond: number;
  readonly upstreamReads: number;
}

async function run(processes: OwnProcesses): Promise<readonly Row[]> {
  const { bench, start } = processes;
  const upstream = await start<TaskUpstreamCalls>('task-upstream');
  const upstreamUrl = await upstream.call('url');
  const watchers = Math.min(bench.isQuick ? 2000 : budgetWatchers, maxSockets());
  const sockets = Math.ceil(watchers / subscriptionsPerSocket);
  const open = (options: Pick<OpenOptions, 'subject' | 'sockets' | 'each'>) =>
    openAll(processes, { ...options, upstreamUrl });
  // Opened one after the other to measure memory. Then all idle together, because each alone does very little.
  const floor = await open({ subject: 'floor', sockets: watchers, each: 1 });
  const single = await open({ subject: 'gengraph', sockets: watchers, each: 1 });
  const many = await open({ subject: 'gengraph', sockets, each: subscriptionsPerSocket });

  const seconds = bench.isQuick ? pingSeconds : 2 * pingSeconds;
  const foreignLoad = createForeignLoad(bench.processIds);
  // Wait for all before failing: calls in flight need their processes.
  const settled = await Promise.allSettled(
    [floor, single, many].map((watching) => idle(watching, upstream, seconds)),
  );
  const [idleFloor, idleSingle, idleMany] = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  if (!idleFloor || !idleSingle || !idleMany) throw new Error('nothing idled');
  const rounds = { run: 1, kept: 1, foreignShare: foreignLoad.next() };

  // The budgets apply to the full number of subscribers only. With fewer, memory noise exceeds their share.
  const budgetOf = (text: string, isMet: boolean) =>
    watchers < budgetWatchers ? undefined : { text, isMet };
  const rows = (work: string, watching: Watching, idling: Idling, share: number): readonly Row[] => {
    const row = (title: string, unit: 'KB' | 'ms', [base, value]: readonly [number, number]): Row => {
      const floorValue = base / share;
      const ratio = spreadOf([value / floorValue]);
      return { work: title, unit, floor: floorValue, gengraph: value, ratio, rounds };
    };
    const { cpuMsPerSecond, upstreamReads } = idling;
    return [
      {
        ...row(work, 'KB', [floor.residentKb, watching.residentKb]),
        budget: budgetOf(`≤ ${budgetKb} KB`, watching.residentKb <= budgetKb),
        note: 'resident memory per subscription',
      },
      {
        ...row('… of it JavaScript', 'KB', [floor.heldKb, watching.heldKb]),
        note: 'heap and buffers after garbage collection',
      },
      {
        ...row('… idle, of all, per second', 'ms', [idleFloor.cpuMsPerSecond, cpuMsPerSecond]),
        budget: budgetOf(`≤ ${budgetMs} ms`, cpuMsPerSecond <= budgetMs),
        note: `${(cpuMsPerSecond / 10).toFixed(2)} % of a core, pings included; ${upstreamReads} upstream reads in ${seconds} s`,
      },
    ];
  };
  return [
    ...rows(`idle watcher, ${watchers} sockets × 1`, single, idleSingle, 1),
    ...rows(
      `idle watcher, ${sockets} sockets × ${subscriptionsPerSocket}`,
      many,
      idleMany,
      subscriptionsPerSocket,
    ),
  ];
}

interface OpenOptions {
  readonly subject: 'floor' | 'gengraph';
  readonly sockets: number;
  /** Subscriptions per socket. */
  readonly each: number;
  readonly upstreamUrl: string;
}

/** One-time costs (code, pools, young generation) are paid by the first few subscribers. */
async function openAll(
  { start, serve }: OwnProcesses,
  { subject, sockets, each, upstreamUrl }: OpenOptions,
): Promise<Watching> {
  // Separate client processes: one process may not be allowed to open all sockets.
  const load = await start<WatchLoadCalls>('watch-load');
  const program = subject === 'floor' ? 'task-floor' : 'watched-gengraph';
  const server = await serve({ subject, program, upstreamUrl, figure: `idle-watchers-${each}` });
  const credential = `Bearer sk-${subject}-${each}`;
  const protocol = subject === 'floor' ? 'raw' : 'graphql';
  const openMore = async (count: number): Promise<void> => {
    // In batches, because a call has a timeout.
    for (let left = count; left > 0; left -= 1000) {
      const part = { sockets: Math.min(1000, left), subscriptionsPerSocket: each };
      await load.call('openWatchers', { url: server.url, protocol, credential, ...part });
    }
  };
  const first = Math.ceil(sockets / 10);
  await openMore(first);
  const before = await server.process.call('memory');
  await openMore(sockets - first);
  const after = await server.process.call('memory');
  const watchers = sockets * each;
  const added = (sockets - first) * each;
  assertCount(`first events from ${subject}`, (await load.call('watched')).events, watchers);
  return {
    server,
    load,
    credential,
    watchers,
    residentKb: (after.residentBytes - before.residentBytes) / added / 1024,
    heldKb: (after.heldBytes - before.heldBytes) / added / 1024,
  };
}

async function idle(
  { server, load, credential, watchers }: Watching,
  upstream: Child<TaskUpstreamCalls>,
  seconds: number,
): Promise<Idling> {
  const pingsBefore = (await load.call('watched')).pings;
  const readsBefore = await upstream.call('fetchesOf', credential);
  const cpuBefore = await server.process.call('cpuMicros');
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const cpuMicros = (await server.process.call('cpuMicros')) - cpuBefore;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const upstreamReads = (await upstream.call('fetchesOf', credential)) - readsBefore;
  const { events, pings } = await load.call('watched');
  // Nothing changed, so there must be no event.
  assertCount(`events from ${server.subject}`, events, watchers);
  if (pings === pingsBefore) throw new Error(`${server.subject} sent no ping`);
  // All subscribe to the same tasks, so one request reads all of them.
  const maxReads = Math.ceil(elapsedSeconds / minPollSeconds) + 1;
  if (server.subject === 'gengraph' && (upstreamReads < 2 || upstreamReads > maxReads))
    throw new Error(`upstream reads: ${upstreamReads}, expected 2 to ${maxReads}`);
  return { cpuMsPerSecond: cpuMicros / 1000 / elapsedSeconds, upstreamReads };
}

/** Available file descriptors of a process, less a reserve. Node raises its limit to the hard limit. */
function maxSockets(): number {
  const limit = Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout);
  return Number.isFinite(limit) && limit > 0 ? limit - 500 : Number.POSITIVE_INFINITY;
}
