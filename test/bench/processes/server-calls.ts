import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCalls } from '../child-process.ts';

/** What every server under test is asked. */
export interface ServerCalls {
  readonly [name: string]: () => unknown;
  readonly url: () => string;
  /** Microseconds of processor time of the whole process so far: JavaScript, garbage collection, system calls. */
  readonly cpuMicros: () => number;
  readonly memory: () => Promise<Memory>;
}

export interface Memory {
  /** What JavaScript holds, buffers included, after a full collection. */
  readonly heldBytes: number;
  readonly residentBytes: number;
}

export function serveServerCalls(url: string): void {
  const calls: ServerCalls = {
    url: () => url,
    cpuMicros() {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    async memory() {
      // Several times, since finalizers of one collection let the next free more; the empty pages go back to the system.
      for (let pass = 0; pass < 3; pass += 1) {
        globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { heapUsed, external, rss } = process.memoryUsage();
      return { heldBytes: heapUsed + external, residentBytes: rss };
    },
  };
  serveCalls(calls);
}

/** Listens on a free port of the loopback interface. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on TCP.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
