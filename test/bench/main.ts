import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findCheckoutFlaw } from './checkout.ts';
import { besideOthers } from './figures/beside-others.ts';
import { firstToken } from './figures/first-token.ts';
import { firstVisit } from './figures/first-visit.ts';
import { gatewayRead } from './figures/gateway-read.ts';
import { ends } from './figures/ends.ts';
import { openings } from './figures/openings.ts';
import { idleWatchers } from './figures/idle-watchers.ts';
import { instances } from './figures/instances.ts';
import { processes } from './figures/processes.ts';
import { queries } from './figures/queries.ts';
import { records } from './figures/records.ts';
import { slowDisk } from './figures/slow-disk.ts';
import { start } from './figures/start.ts';
import { streamMemory } from './figures/stream-memory.ts';
import { streamRate } from './figures/stream-rate.ts';
import { tasks } from './figures/tasks.ts';
import { burstTokens, pacedTokens } from './figures/tokens.ts';
import { trafficMemory } from './figures/traffic-memory.ts';
import { maxQuietShare, type Row, runFigure } from './harness.ts';
import { toJsonLine, toTable } from './report.ts';

const figures = [
  queries,
  gatewayRead,
  tasks,
  pacedTokens,
  burstTokens,
  firstToken,
  openings,
  ends,
  streamRate,
  besideOthers,
  trafficMemory,
  streamMemory,
  idleWatchers,
  start,
  firstVisit,
  records,
  slowDisk,
  instances,
  processes,
];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    profile: { type: 'string' },
    before: { type: 'string' },
  },
});
const { quick: isQuick, only, profile: profileDirectory } = values;
const flaw = values.before === undefined ? undefined : findCheckoutFlaw(values.before);
if (flaw !== undefined) {
  console.error(flaw);
  process.exit(1);
}
const beforeDirectory = values.before === undefined ? undefined : resolve(values.before);
const chosen = figures.filter(({ name }) => only?.includes(name) ?? true);
if (chosen.length === 0)
  throw new Error(`unknown figure. Available: ${figures.map(({ name }) => name).join(', ')}`);

const rows: Row[] = [];

/** Prints what has been measured so far. */
function report(): void {
  if (rows.length === 0) return;
  console.log(`\n${toTable(rows)}\n`);
  if (rows.some(({ rounds }) => (rounds.foreignShare ?? 0) > maxQuietShare)) {
    console.log(
      'Other processes were busy on this machine. Do not compare figures with a high "other load".\n',
    );
  }
  console.log(toJsonLine(rows, { isQuick, isProfiled: profileDirectory !== undefined, beforeDirectory }));
}

// Limits the run time if something hangs. The child processes end with the bench.
const maxMs = (isQuick ? 540 : 1080) * (beforeDirectory === undefined ? 1 : 2) * 1000;
setTimeout(() => {
  console.error(`the bench took longer than ${maxMs / 1000} s`);
  report();
  process.exit(1);
}, maxMs).unref();

for (const figure of chosen) {
  const startedAt = performance.now();
  try {
    rows.push(...(await runFigure(figure, { isQuick, profileDirectory, beforeDirectory })));
    console.error(`${figure.name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  } catch (error) {
    // The other figures are worth their time.
    console.error(`${figure.name} failed:`, error);
    process.exitCode = 1;
  }
}
report();
