import type { Server } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { GCProfiler } from 'node:v8';
import { serveCalls } from '../child-process.ts';

/** Calls that every server under test answers. */
export interface ServerCalls {
  readonly [name: string]: () => unknown;
  readonly url: () => string;
  /** Processor time of the process in microseconds, including garbage collection and system calls. */
  readonly cpuMicros: () => number;
  readonly memory: () => Promise<Memory>;
  /** Resident memory as it is, without a garbage collection. */
  readonly residentBytes: () => number;
  /** Starts to count garbage collections. */
  readonly startCollections: () => void;
  /** Number of major garbage collections since `startCollections`. Each takes as long as many seconds of idling. */
  readonly stopCollections: () => number;
  readonly startProfile: () => Promise<void>;
  /** Returns the CPU profile since `startProfile` as JSON. */
  readonly stopProfile: () => Promise<string>;
}

export interface Memory {
  /** Heap and buffers after a full garbage collection. */
  readonly heldBytes: number;
  readonly residentBytes: number;
}

export function serveServerCalls(url: string): void {
  let collections: GCProfiler | undefined;
  let session: Session | undefined;
  const calls: ServerCalls = {
    url: () => url,
    cpuMicros() {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    async memory() {
      // Repeated, because finalizers of one collection let the next one free more. Empty pages return to the system.
      for (let pass = 0; pass < 3; pass += 1) {
        globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { heapUsed, external, rss } = process.memoryUsage();
      return { heldBytes: heapUsed + external, residentBytes: rss };
    },
    residentBytes: () => process.memoryUsage.rss(),
    startCollections() {
      collections = new GCProfiler();
      collections.start();
    },
    stopCollections() {
      const { statistics = [] } = collections?.stop() ?? {};
      return statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact').length;
    },
    async startProfile() {
      session = new Session();
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
    },
    async stopProfile() {
      const stopped = await session?.post('Profiler.stop');
      session?.disconnect();
      return JSON.stringify(stopped?.profile);
    },
  };
  serveCalls(calls);
}

/** Listens on a free port of the loopback interface. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a TCP server is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
