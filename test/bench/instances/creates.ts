import type { Child } from '../child-process.ts';
import type { Database } from '../database.ts';
import type { Bench, Row, ServerUnderTest } from '../harness.ts';
import type { DatabaseProxyCalls, WireCounts } from '../processes/database-proxy.ts';
import { type Measured, measureUsage, sum } from './usage.ts';

const goals = { roundTrips: { must: 2 } };

export interface CountedDeployment {
  readonly bench: Bench;
  readonly database: Database;
  readonly proxy: Child<DatabaseProxyCalls>;
  /** Reaches the database through the proxy, except for messages. */
  readonly server: ServerUnderTest;
}

/** What a create and the end of its chat send to the database. */
export async function measureCreates(deployment: CountedDeployment): Promise<readonly Row[]> {
  const { bench, database, server } = deployment;
  const count = bench.isQuick ? 100 : 400;
  const group = 'counted';
  const start = () => bench.load.call('startChats', { group, url: server.url, count, concurrency: 8 });
  const end = async (): Promise<void> => {
    await bench.upstream.call('endStreams', group);
    await waitForEnds(database);
  };
  // The first creates open connections and insert the sums of the day for this model.
  await start();
  await end();
  const creates = await countWire(deployment, start);
  // Renewals, maintenance and checks of running chats do not depend on the number of creates.
  const background = await countWire(deployment, () => new Promise((resolve) => setTimeout(resolve, 3000)));
  const ends = await countWire(deployment, end);
  const rowOf = (work: string, counted: Counted, goal?: { readonly must: number }): Row => {
    const own = withoutBackground(counted, background);
    const roundTrips = own.counts.roundTrips / count;
    return {
      work,
      unit: 'per create',
      gengraph: roundTrips,
      // Rounded, because the background varies.
      ...(goal && { goal: { ...goal, value: Math.round(roundTrips), measure: 'value' } }),
      rounds: { run: 1, kept: 1 },
      note: describe(own, count),
    };
  };
  return [
    rowOf('create, round trips to the database', creates, goals.roundTrips),
    rowOf('… end of its chat', ends),
  ];
}

interface Counted {
  readonly counts: WireCounts;
  readonly usage: Measured<unknown>;
}

async function countWire(deployment: CountedDeployment, work: () => Promise<unknown>): Promise<Counted> {
  const before = await deployment.proxy.call('counts');
  const usage = await measureUsage(deployment, [deployment.server], work);
  const after = await deployment.proxy.call('counts');
  return {
    usage,
    counts: {
      roundTrips: after.roundTrips - before.roundTrips,
      statements: after.statements - before.statements,
      bytes: after.bytes - before.bytes,
    },
  };
}

function withoutBackground({ counts, usage }: Counted, background: Counted): Counted {
  const share = usage.elapsedMs / background.usage.elapsedMs;
  const without = (value: number, idle: number): number => value - share * idle;
  return {
    counts: {
      roundTrips: without(counts.roundTrips, background.counts.roundTrips),
      statements: without(counts.statements, background.counts.statements),
      bytes: without(counts.bytes, background.counts.bytes),
    },
    usage,
  };
}

function describe({ counts, usage }: Counted, count: number): string {
  const parts = [
    `${(counts.statements / count).toFixed(1)} statements`,
    `${(counts.bytes / count).toFixed(0)} B on the wire`,
    `WAL ${(usage.walBytes / count).toFixed(0)} B`,
    `database ${(usage.database / count).toFixed(0)} µs`,
    `server ${(sum(usage.servers) / count).toFixed(0)} µs`,
  ];
  return parts.join(', ');
}

/** Resolves when no generation runs. */
async function waitForEnds(database: Database): Promise<void> {
  for (;;) {
    const rows = await database.query('select from generations where finished_at is null limit 1');
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
