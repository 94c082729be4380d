import type { RunningEngine } from './create-engine.ts';
import type { Clock } from './lib/clock.ts';
import { wait } from './lib/wait.ts';
import { withTimeout } from './lib/with-timeout.ts';
import type { Server } from './server/server.ts';
import type { Store } from './store/store.ts';

export interface ShutdownOptions {
  readonly engine: Pick<RunningEngine, 'executions' | 'generationWatch' | 'log' | 'streams'>;
  readonly server: Pick<Server, 'drain' | 'refuseRequests' | 'waitUntilIdle'>;
  readonly store: Pick<Store, 'isReady' | 'stopWaiting'>;
  /** Refuses new work, and lets another process take the data directory. */
  readonly startDrain: () => void;
  /** Closes everything. */
  readonly release: () => Promise<void>;
  readonly shutdownMs: number;
  readonly clock: Clock;
}

/** Time to record the ends of streams that are interrupted. */
const interruptMs = 10_000;
const withoutRecordsMs = 1000;
/** Longest time in which a server that drains accepts requests on open connections. */
const lastRequestsMs = 1000;

/** Stops new work, waits for running streams, interrupts those that still run, and closes everything. */
export async function shutDown(options: ShutdownOptions): Promise<void> {
  // The server no longer listens, and its timers do not keep the process alive.
  const alive = setInterval(() => {}, 60_000);
  await drain(options).finally(() => clearInterval(alive));
}

async function drain(options: ShutdownOptions): Promise<void> {
  const { engine, server, store, shutdownMs, clock } = options;
  const { log, streams } = engine;
  log.info({ streams: streams.running }, 'draining');
  options.startDrain();
  await withTimeout(finishWork(options), { clock, timeoutMs: shutdownMs });
  store.stopWaiting();
  // Without the records, no end can be recorded: the next process settles the streams.
  const timeoutMs = (await store.isReady()) ? interruptMs : withoutRecordsMs;
  await withTimeout(streams.interruptAll(), { clock, timeoutMs });
  engine.generationWatch.end();
  // Clients receive the ends of their streams before their connections close. The deadline is for feeds, which never end.
  await withTimeout(server.waitUntilIdle(), { clock, timeoutMs: 1000 });
  await options.release();
  log.info({}, 'stopped');
}

async function finishWork({ engine, server, shutdownMs, clock }: ShutdownOptions): Promise<void> {
  const { streams, executions, generationWatch } = engine;
  // Proxies send their last requests on the connections that they hold.
  await wait(clock, Math.min(lastRequestsMs, shutdownMs / 30));
  await server.refuseRequests();
  // An operation may open a stream before it ends.
  while (executions.count > 0 || streams.running > 0 || streams.watchers > 0) {
    await streams.waitUntilDrained();
    // Their clients ask again, which moves their sockets to other servers.
    generationWatch.end();
    await executions.waitUntilIdle();
  }
}
