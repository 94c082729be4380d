import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { askBroker } from '../broker.ts';
import { decodeServer } from '../postgres-databases.ts';
import { startPostgresBroker } from '../postgres-broker.ts';
import { chooseTests, type Coverage, createImports } from './choose-tests.ts';
import { addLine, copy, readLines, sampleMutants, writeCopy } from './copy.ts';
import type { Mutant } from './find-mutants.ts';
import { hashFile } from './hash-file.ts';

const folders = ['generations', 'streams', 'tasks', 'store', 'server/operation', 'capabilities'];

/** Tests of processes, browsers and the sandbox run other programs, which have no mutants. */
const tests = globSync([
  'test/schema.test.ts',
  'test/{bus,capabilities,gateway,generations,lib,server,store,streams,tasks}/**/*.test.ts',
])
  .filter((path) => !path.includes('.browser.'))
  .toSorted();

interface Result {
  readonly number: number;
  readonly outcome: 'killed' | 'survived';
  /** Those that ran, the last of which may have failed. */
  readonly tests: readonly string[];
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    /** No mutant starts later. A second run goes on. */
    minutes: { type: 'string', default: '30' },
    /** Most time of the tests of one mutant, as it was without the mutant. */
    seconds: { type: 'string', default: '20' },
    /** Runs the survivors again, with the tests as they are now. */
    again: { type: 'boolean', default: false },
  },
});
const mutants = sampleMutants(folders, Number(values.count), Number(values.seed));
const endsAt = performance.now() + Number(values.minutes) * 60_000;

const directory = join(
  resolve('test/artifacts/mutation-runs'),
  createHash('sha256').update(JSON.stringify(mutants)).digest('hex').slice(0, 16),
);
mkdirSync(directory, { recursive: true });
const coverageFile = join(directory, 'coverage.jsonl');
const resultsFile = join(directory, 'results.jsonl');

// Ends the runs of tests, which are in groups of their own.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
writeCopy(mutants);
const postgres = await startPostgresBroker();
try {
  const { serverUrl } = decodeServer(await askBroker(postgres.url));
  await coverTests(serverUrl);
  await runMutants(serverUrl);
} finally {
  await postgres.close();
}
process.exitCode = report();

/** Notes which mutants each test file reaches that is new or has changed. */
async function coverTests(databaseUrl: string): Promise<void> {
  const known = new Set(readCoverage().map(({ path }) => path));
  const unknown = tests.filter((path) => !known.has(path));
  console.log(`${mutants.length} mutants; ${unknown.length} of ${tests.length} test files are new`);
  if (unknown.length === 0) return;
  await runTests(
    unknown,
    { TEST_DATABASE_URL: databaseUrl, MUTANT_COVERAGE: coverageFile },
    endsAt - performance.now(),
  );
}

/** Of the test files as they are. */
function readCoverage(): readonly Coverage[] {
  // Written by the set-up file of the copy, before which come the lines of processes that the file started.
  const lines = readLines(coverageFile) as readonly (Pick<Coverage, 'path' | 'mutants'> &
    Partial<Coverage>)[];
  const started = new Map<string, readonly number[]>();
  const latest = new Map<string, Coverage>();
  for (const { path, mutants: reached, ...rest } of lines) {
    const { hash, elapsedMs = 0, hasPassed = false } = rest;
    const all = [...(started.get(path) ?? []), ...reached];
    if (hash === undefined) started.set(path, all);
    else latest.set(path, { path, hash, elapsedMs, hasPassed, mutants: all });
  }
  const hashes = new Map(tests.map((path) => [path, hashFile(path)]));
  return [...latest.values()].filter(({ path, hash, hasPassed }) => hasPassed && hashes.get(path) === hash);
}

function readResults(): ReadonlyMap<number, Result> {
  const results = readLines(resultsFile) as readonly Result[]; // Written below.
  return new Map(results.map((result) => [result.number, result]));
}

async function runMutants(databaseUrl: string): Promise<void> {
  const results = readResults();
  const choice = {
    coverage: readCoverage(),
    importsOf: createImports((path) => readFileSync(path, 'utf8')),
    budgetMs: Number(values.seconds) * 1000,
  };
  // A chosen test could be missing.
  if (performance.now() > endsAt) return;
  const remaining = [...mutants.entries()].filter(([number]) => {
    const outcome = results.get(number)?.outcome;
    return outcome === undefined || (values.again && outcome === 'survived');
  });
  const work = async (): Promise<void> => {
    for (let next = remaining.shift(); next && performance.now() < endsAt; next = remaining.shift()) {
      const [number, mutant] = next;
      const chosen = chooseTests(mutant, number, choice);
      const paths = chosen.map(({ path }) => path);
      const expectedMs = chosen.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
      const env = { TEST_DATABASE_URL: databaseUrl, MUTANT: String(number) };
      const hasPassed = paths.length === 0 || (await runTests(paths, env, 60_000 + 3 * expectedMs));
      const result: Result = { number, outcome: hasPassed ? 'survived' : 'killed', tests: paths };
      addLine(resultsFile, result);
      console.log(`${result.outcome}: ${describe(mutant)}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Whether all pass within the time. Stops at the first failure of a mutant. */
async function runTests(
  paths: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<boolean> {
  const isMutant = env['MUTANT'] !== undefined;
  const args = [
    resolve('node_modules/vitest/vitest.mjs'),
    'run',
    '--config=test/support/mutation/vitest.config.ts',
    `--bail=${isMutant ? 1 : 0}`,
    `--maxWorkers=${isMutant ? 1 : availableParallelism()}`,
    '--reporter=./test/support/summary-reporter.ts',
    ...paths,
  ];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    // A group of its own: a fault may be a loop without an end in a worker.
    detached: true,
    stdio: isMutant ? 'ignore' : 'inherit',
    env: {
      ...process.env,
      // For processes that a test starts from source.
      NODE_OPTIONS: `--import=${pathToFileURL(join(copy, 'test/support/mutation/activate.js')).href}`,
      INSTALL_TEST_TOOLS: '0',
      MUTANT_TESTS: paths.join(' '),
      ...env,
    },
  });
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(stop, timeoutMs);
  process.once('exit', stop);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  process.off('exit', stop);
  return code === 0;
}

function describe({ path, start, original, mutated, isStatement }: Mutant): string {
  const line = readFileSync(path, 'utf8').slice(0, start).split('\n').length;
  const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${path}:${line} ${shorten(original)} → ${isStatement ? '(omitted)' : shorten(mutated)}`;
}

/** @returns the exit code */
function report(): number {
  const results = [...readResults().values()];
  const rows = folders.map((folder) => {
    const own = results.filter(({ number }) => mutants[number]?.path.startsWith(`src/${folder}/`));
    const killed = own.filter(({ outcome }) => outcome === 'killed').length;
    return { folder, mutants: own.length, killed, survived: own.length - killed };
  });
  console.table(rows);
  for (const { number, outcome, tests: run } of results) {
    const mutant = mutants[number];
    if (mutant && outcome === 'survived')
      console.log(`${number} ${describe(mutant)}\n    after ${run.slice(0, 4).join(', ') || 'no test'}`);
  }
  const killed = results.filter(({ outcome }) => outcome === 'killed').length;
  const percent = (100 * killed) / results.length;
  const missing = mutants.length - results.length;
  console.log(`${killed} killed, ${results.length - killed} survived (${percent.toFixed(1)} % killed)`);
  if (missing > 0) console.log(`${missing} mutants have not run: run the command again`);
  return percent >= 92 && missing === 0 ? 0 : 1;
}
