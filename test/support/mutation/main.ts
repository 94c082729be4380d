import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** A mutant that runs into the time limit is found, as it would be in the suite. */
const foundOutcomes = ['killed', 'timeout'] as const;
type Outcome = (typeof foundOutcomes)[number] | 'survived' | 'broken';

interface Result {
  readonly id: string;
  /** Of the source file, as it was. */
  readonly hash: string;
  /** `broken`: the tests did not run to their end for another reason. */
  readonly outcome: Outcome;
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
    workers: { type: 'string', default: String(availableParallelism()) },
    /** Runs the survivors again, with the tests as they are now. */
    again: { type: 'boolean', default: false },
    /** Folders of the sources that get faults. */
    folders: { type: 'string', default: 'generations,streams,tasks,store,server/operation,capabilities' },
    /** Folders of the tests that run. */
    tests: {
      type: 'string',
      default: 'bus,capabilities,files,gateway,generations,lib,server,store,streams,tasks,webhooks',
    },
  },
});
const folders = values.folders.split(',');
/** Tests of processes, browsers and the sandbox run other programs, which have no mutants. */
const tests = values.tests
  .split(',')
  .flatMap((folder) => globSync(`test/${folder}/**/*.test.ts`))
  .concat('test/schema.test.ts')
  .filter((path) => !path.includes('.browser.'))
  .toSorted();
const mutants = sampleMutants(folders, Number(values.count), Number(values.seed));
const endsAt = performance.now() + Number(values.minutes) * 60_000;

const directory = resolve('test/artifacts/mutation-runs');
mkdirSync(directory, { recursive: true });
const ids = mutants.map(({ id }) => id);
const sampleName = createHash('sha256').update(ids.join()).digest('hex').slice(0, 16);
const sampleFile = (name: string): string => join(directory, `sample-${name}.json`);
writeFileSync(sampleFile(sampleName), JSON.stringify(ids));
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
    { TEST_DATABASE_URL: databaseUrl, MUTANT_COVERAGE: coverageFile, MUTANT_SAMPLE: sampleName },
    endsAt - performance.now(),
  );
  const passed = new Set(readCoverage().map(({ path }) => path));
  // Without an active mutant. No mutant gets these tests.
  for (const path of unknown) if (!passed.has(path)) console.log(`did not pass in the copy: ${path}`);
}

/** Of the test files as they are. */
function readCoverage(): readonly Coverage[] {
  // Written by the set-up file of the copy, before which come the lines of processes that the file started.
  const lines = readLines(coverageFile) as readonly (Pick<Coverage, 'path' | 'mutants'> &
    Partial<Coverage>)[];
  const started = new Map<string, readonly string[]>();
  const latest = new Map<string, Coverage>();
  for (const { path, mutants: reached, ...rest } of lines) {
    const { hash, elapsedMs = 0, hasPassed = false, sample = '' } = rest;
    const all = [...(started.get(path) ?? []), ...reached];
    if (hash === undefined) started.set(path, all);
    else latest.set(path, { path, hash, elapsedMs, hasPassed, mutants: all, sample });
  }
  const hashes = new Map(tests.map((path) => [path, hashFile(path)]));
  return [...latest.values()].filter(({ path, hash, hasPassed }) => hasPassed && hashes.get(path) === hash);
}

/** Of mutants of the sample whose files are as they were. */
function readResults(): ReadonlyMap<string, Result> {
  const hashes = new Map(mutants.map(({ id, path }) => [id, hashFile(path)]));
  const results = readLines(resultsFile) as readonly Result[]; // Written below.
  const valid = results.filter(({ id, hash, outcome }) => hashes.get(id) === hash && outcome !== 'broken');
  return new Map(valid.map((result) => [result.id, result]));
}

/** Whether the copy of a sample had a mutant. */
function createIsIn(): (sample: string, id: string) => boolean {
  const samples = new Map<string, ReadonlySet<string>>();
  return (sample, id) => {
    const read = (): ReadonlySet<string> =>
      new Set(JSON.parse(readFileSync(sampleFile(sample), 'utf8')) as readonly string[]);
    const known = samples.get(sample) ?? read();
    samples.set(sample, known);
    return known.has(id);
  };
}

async function runMutants(databaseUrl: string): Promise<void> {
  const results = readResults();
  const choice = {
    coverage: readCoverage(),
    isIn: createIsIn(),
    importsOf: createImports((path) => readFileSync(path, 'utf8')),
    budgetMs: Number(values.seconds) * 1000,
  };
  // A chosen test could be missing.
  if (performance.now() > endsAt) return;
  const remaining = mutants.filter(({ id }) => {
    const outcome = results.get(id)?.outcome;
    return outcome === undefined || (values.again && outcome === 'survived');
  });
  const work = async (): Promise<void> => {
    for (let mutant = remaining.shift(); mutant && performance.now() < endsAt; mutant = remaining.shift()) {
      const { id, path } = mutant;
      const hash = hashFile(path);
      const chosen = chooseTests(mutant, choice);
      const tests = chosen.map((file) => file.path);
      const expectedMs = chosen.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
      const env = { TEST_DATABASE_URL: databaseUrl, MUTANT: id };
      const outcome = tests.length === 0 ? 'survived' : await runTests(tests, env, 60_000 + 3 * expectedMs);
      addLine(resultsFile, { id, hash, outcome, tests } satisfies Result);
      console.log(`${outcome}: ${describe(mutant)}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
}

/** Stops at the first failure of a mutant. */
async function runTests(
  paths: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Outcome> {
  const isMutant = env['MUTANT'] !== undefined;
  const args = [
    resolve('node_modules/vitest/vitest.mjs'),
    'run',
    '--config=test/support/mutation/vitest.config.ts',
    `--bail=${isMutant ? 1 : 0}`,
    `--maxWorkers=${isMutant ? 1 : values.workers}`,
    '--reporter=./test/support/summary-reporter.ts',
    ...paths,
  ];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    // A group of its own: a fault may be a loop without an end in a worker.
    detached: true,
    stdio: ['ignore', isMutant ? 'pipe' : 'inherit', isMutant ? 'ignore' : 'inherit'],
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
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-1000)));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeoutMs);
  process.once('exit', stop);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  process.off('exit', stop);
  if (code === 0) return 'survived';
  if (isLate) return 'timeout';
  // The last line of the summary.
  return /\d+ passed, \d+ failed/.test(output) ? 'killed' : 'broken';
}

function describe({ path, start, original, mutated, isStatement }: Mutant): string {
  const line = readFileSync(path, 'utf8').slice(0, start).split('\n').length;
  const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${path}:${line} ${shorten(original)} → ${isStatement ? '(omitted)' : shorten(mutated)}`;
}

/** @returns the exit code */
function report(): number {
  const results = readResults();
  const rows = mutants.flatMap((mutant) => {
    const result = results.get(mutant.id);
    return result ? [{ mutant, ...result }] : [];
  });
  const count = (outcome: Outcome, folder = ''): number =>
    rows.filter((row) => row.outcome === outcome && row.mutant.path.startsWith(`src/${folder}`)).length;
  console.table(
    folders.map((folder) => {
      const [killed, timeout] = foundOutcomes.map((outcome) => count(outcome, `${folder}/`));
      return { folder, killed, timeout, survived: count('survived', `${folder}/`) };
    }),
  );
  for (const { mutant, outcome, tests: run } of rows)
    if (outcome === 'survived')
      console.log(`${mutant.id} ${describe(mutant)}\n    after ${run.slice(0, 4).join(', ') || 'no test'}`);
  const survived = count('survived');
  const percent = (100 * (rows.length - survived)) / rows.length;
  const missing = mutants.length - rows.length;
  console.log(
    `${count('killed')} killed, ${count('timeout')} timeouts, ${survived} survived (${percent.toFixed(1)} % found)`,
  );
  if (missing > 0) console.log(`${missing} mutants have not run: run the command again`);
  return percent >= 92 && missing === 0 ? 0 : 1;
}
