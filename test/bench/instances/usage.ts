import type { Database } from '../database.ts';
import type { Bench, ServerUnderTest } from '../harness.ts';
import { processTicks } from '../machine-load.ts';
import { median } from '../statistics.ts';

/** What a piece of work costs each part, in microseconds of processor time. */
export interface Usage {
  /** In the order of the servers. */
  readonly servers: readonly number[];
  readonly database: number;
  readonly upstream: number;
  readonly clients: number;
  readonly walBytes: number;
  readonly elapsedMs: number;
}

export interface Measured<Result> extends Usage {
  readonly result: Result;
}

export async function measureUsage<Result>(
  { bench, database }: { readonly bench: Bench; readonly database: Database },
  servers: readonly ServerUnderTest[],
  work: () => Promise<Result>,
): Promise<Measured<Result>> {
  const read = async () => ({
    servers: await Promise.all(servers.map((server) => server.process.call('cpuMicros'))),
    database: database.cpuMicros(),
    upstream: 10_000 * processTicks(bench.upstream.processId),
    clients: 10_000 * processTicks(bench.load.processId),
    walBytes: await database.walBytes(),
    elapsedMs: performance.now(),
  });
  const before = await read();
  const result = await work();
  const after = await read();
  return {
    result,
    servers: after.servers.map((micros, index) => micros - (before.servers[index] ?? 0)),
    database: after.database - before.database,
    upstream: after.upstream - before.upstream,
    clients: after.clients - before.clients,
    walBytes: after.walBytes - before.walBytes,
    elapsedMs: after.elapsedMs - before.elapsedMs,
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Median over the samples of a value per unit of work. */
export function perUnit<Sample>(
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
  units: number,
): number {
  return median(samples.map((sample) => pick(sample) / units));
}
