import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Broker, startBroker } from './broker.ts';

/** Within the repository, since the built program loads some packages from its `node_modules`. */
const parent = resolve('test/artifacts/programs');

/**
 * Of each start of the program. As in the tests' own processes, a large young generation and no helper threads for garbage save a
 * tenth of the processor time of a start.
 */
export const startFlags = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--single-threaded-gc'];

/** Keeps the compiled code of a build beside it. */
export function cacheEnv(directory: string): { readonly XDG_CACHE_HOME: string } {
  return { XDG_CACHE_HOME: join(directory, 'cache') };
}

/** Longer than a run. */
const unusedMs = 3_600_000;

/** Builds the program at the first request of a worker, so that runs that start no processes build nothing. */
export async function startBuildBroker(): Promise<Broker> {
  // One after another: a second request finds what the first has built.
  let last = Promise.resolve('');
  return startBroker(() => (last = last.catch(() => '').then(findBuild)));
}

/** The directory of a build of exactly these sources. @throws Error with the output of a build that fails */
async function findBuild(): Promise<string> {
  const hash = await hashSources();
  const directory = join(parent, hash);
  if (await isUsable(directory)) return directory;
  await mkdir(parent, { recursive: true });
  await removeUnused();
  const building = await mkdtemp(join(parent, 'building-'));
  try {
    await promisify(execFile)(process.execPath, ['build.ts', join(building, 'dist')]);
    await cp('dist/graphiql', join(building, 'dist/graphiql'), { recursive: true });
    await copyFile('package.json', join(building, 'package.json'));
    if ((await hashSources()) !== hash) throw new Error('the sources changed while the program was built');
    await rename(building, directory).catch(async (error: unknown) => {
      // Another run may have built the same.
      if (!(await isUsable(directory))) throw error;
    });
    await compile(directory);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return directory;
}

/** Starts and stops the program, which keeps its compiled code when it ends. One that a test kills keeps none. */
async function compile(directory: string): Promise<void> {
  const child = spawn('node', [...startFlags, join(directory, 'dist/start.js')], {
    env: {
      PATH: process.env['PATH'],
      ...cacheEnv(directory),
      PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: ':memory:',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const isStarted = /API\s+http/;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      const wasStarted = isStarted.test(output);
      output += text;
      // A second signal would stop it at once.
      if (!wasStarted && isStarted.test(output)) child.kill('SIGTERM');
    });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`the built program does not start and stop:\n${output}`);
}

/** Marks the build as used. */
async function isUsable(directory: string): Promise<boolean> {
  const now = new Date();
  return utimes(directory, now, now).then(
    () => true,
    () => false,
  );
}

/** Of everything that a build depends on. The lock file in `node_modules` lists what is installed. */
async function hashSources(): Promise<string> {
  const entries = await readdir('src', { recursive: true, withFileTypes: true });
  const sources = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash('sha256').update(process.version);
  for (const file of ['build.ts', 'package.json', 'node_modules/.package-lock.json', ...sources.toSorted()])
    hash.update(`\0${file}\0`).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(parent)) {
    const directory = join(parent, name);
    const { mtimeMs } = await stat(directory);
    if (Date.now() - mtimeMs > unusedMs) await rm(directory, { recursive: true, force: true });
  }
}
