import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect, parseArgs } from 'node:util';
import { type Child, startChild } from '../child-process.ts';
import { createForeignLoad } from '../machine-load.ts';
import type { SoakServerCalls } from '../processes/soak-server.ts';
import { median } from '../statistics.ts';
import type { Site } from './site.ts';
import { toTrendTable, trendOf } from './trend.ts';
import { visits } from './visitors.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '5' } },
});
const durationMs = Number(values.minutes) * 60_000;
const visitsPerSecond = Number(values.rate);
if (!(durationMs > 0 && durationMs <= 86_400_000 && visitsPerSecond > 0 && visitsPerSecond <= 100)) {
  console.error('usage: npm run soak -- --minutes <up to 1440> --rate <visits per second, up to 100>');
  process.exit(1);
}

const sampleMs = Math.min(10_000, durationMs / 6);
const killMs = 20_000;
const downMs = 400;
const visitTimeoutMs = 60_000;
const maxVisits = 400;
const callers = 20;
/** Time for visits, kept streams and polled tasks to end after the load. */
const drainMs = 60_000;

/** Above this share of the machine, other processes decide the event-loop delay. */
const maxOtherLoad = 0.1;
const loopDelay = 'event-loop delay p99';

/** Growth over the second half that counts as flat. Covers the noise of a busy machine, not the length of the run. */
const figures = [
  { name: 'resident memory', unit: 'MB', maxGrowth: 32 },
  { name: 'heap after collection', unit: 'MB', maxGrowth: 6 },
  { name: 'open handles', unit: '', maxGrowth: 40 },
  { name: loopDelay, unit: 'ms', maxGrowth: 30 },
  { name: 'database', unit: 'MB', maxGrowth: 8 },
  { name: 'write-ahead log', unit: 'MB', maxGrowth: 8 },
] as const;

const violations: string[] = [];
const report = (violation: string): void => {
  violations.push(violation);
  console.error(violation);
};

setTimeout(
  () => {
    console.error('the soak did not end in time');
    process.exit(1);
  },
  durationMs + 3 * drainMs,
).unref();

const directory = await mkdtemp(join(tmpdir(), 'gengraph-soak-'));
const ledgerPath = join(directory, 'requests.txt');
const dataDirectory = join(directory, 'data');
await writeFile(ledgerPath, '');
const port = String(await findPort());
const startUpstream = () => startChild('soak-upstream', { arguments: [port, ledgerPath] });
let upstream = await startUpstream();
const server: Child<SoakServerCalls> = await startChild<SoakServerCalls>('soak-server', {
  arguments: [`http://127.0.0.1:${port}`, dataDirectory],
  nodeOptions: ['--expose-gc'],
});
const url = `${await server.call('url')}/graphql`;
const idle = await server.call('figures');

const endsAt = Date.now() + durationMs;
let killedAt = 0;
let kills = 0;
const inFlight = new Set<Promise<void>>();
let started = 0;
const counts = new Map<string, number>();

const samples: number[][] = [];
const foreignShares: number[] = [];
await Promise.all([visit(), killUpstream(), sample()]);
await Promise.race([Promise.all(inFlight), wait(visitTimeoutMs, undefined, { ref: false })]);
await checkLedger();
await checkDrained();
const trends = figures.map((figure, column) =>
  trendOf({ ...figure, values: samples.map((row) => row[column] ?? Number.NaN) }),
);
const otherLoad = median(foreignShares.slice(foreignShares.length / 2));
const isBusy = otherLoad > maxOtherLoad;
for (const { name, isFlat } of trends) {
  if (isFlat) continue;
  if (name === loopDelay && isBusy)
    console.error(`${name} grows, but other processes delayed it: not a fault`);
  else report(`${name} grows`);
}
console.log(`\n${toTrendTable(trends)}\n`);
console.log(
  `${started} visits, ${kills} kills of the gateway, ${samples.length} samples, ${violations.length} faults, other load ${(100 * otherLoad).toFixed(0)} %`,
);
await Promise.all([server.stop(), upstream.stop()]);
await rm(directory, { recursive: true });
process.exit(violations.length === 0 ? 0 : 1);

async function visit(): Promise<void> {
  while (Date.now() < endsAt) {
    const chosen = visits[started % visits.length];
    started += 1;
    if (chosen && inFlight.size < maxVisits) {
      const { visitor, kind, words } = chosen;
      const intent = { key: `k${started}`, kind, words };
      const authorization = `Bearer sk-soak-${started % callers}`;
      const site: Site = {
        url,
        headers: { authorization },
        wasUpstreamKilledSince: (time) => killedAt >= time,
      };
      const visiting = Promise.race([visitor(site, intent), timeOut(intent.key)])
        .catch((error: unknown) => report(`${intent.key}: ${inspect(error)}`))
        .finally(() => inFlight.delete(visiting));
      inFlight.add(visiting);
    } else report(`${maxVisits} visits are in flight: the server cannot keep up`);
    await wait(1000 / visitsPerSecond);
  }
}

async function timeOut(key: string): Promise<void> {
  await wait(visitTimeoutMs, undefined, { ref: false });
  throw new Error(`${key}: the visit did not end within ${visitTimeoutMs / 1000} s`);
}

async function killUpstream(): Promise<void> {
  while (Date.now() + killMs < endsAt) {
    await wait(killMs);
    killedAt = Number.POSITIVE_INFINITY;
    await upstream.kill();
    kills += 1;
    await wait(downMs);
    upstream = await startUpstream();
    killedAt = Date.now();
  }
}

async function sample(): Promise<void> {
  const foreignLoad = createForeignLoad(() => [process.pid, server.processId]);
  while (Date.now() + sampleMs <= endsAt + 100) {
    await wait(sampleMs);
    const { residentBytes, heapBytes, handles, loopDelayMs } = await server.call('figures');
    const row = [
      residentBytes / 1e6,
      heapBytes / 1e6,
      handles,
      loopDelayMs,
      await sizeOf('.db'),
      await sizeOf('.db-wal'),
    ];
    samples.push(row);
    foreignShares.push(foreignLoad.next() ?? 0);
    const shown = figures.map(({ name, unit }, column) => `${name} ${row[column]?.toFixed(1)} ${unit}`);
    console.error(`${shown.join(', ')}, ${JSON.stringify(await server.call('activity'))}`);
  }
}

async function sizeOf(ending: string): Promise<number> {
  const names = (await readdir(dataDirectory)).filter((name) => name.endsWith(ending));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dataDirectory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

async function checkLedger(): Promise<void> {
  for (const key of (await readFile(ledgerPath, 'utf8')).split('\n').filter(Boolean))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [key, count] of counts) if (count > 1) report(`${key}: ${count} requests at the gateway`);
  if (counts.size === 0) report('no request reached the gateway');
}

/** Nothing may remain once every visitor is gone. */
async function checkDrained(): Promise<void> {
  const deadline = Date.now() + drainMs;
  let remaining: readonly (readonly [string, number])[] = [];
  do {
    await wait(500);
    remaining = Object.entries(await server.call('activity')).filter(([, count]) => count > 0);
  } while (remaining.length > 0 && Date.now() < deadline);
  if (remaining.length > 0) report(`after the load remain: ${JSON.stringify(remaining)}`);
  await wait(6000); // Idle connections to the gateway and of visitors close.
  const { handles } = await server.call('figures');
  if (handles > idle.handles + 20) report(`${handles} handles remain open, ${idle.handles} before the load`);
}

async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port: free } = probe.address() as AddressInfo; // Of a TCP server.
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return free;
}
