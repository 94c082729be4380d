import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findNodeOptions } from '../checkout.ts';
import { compareValues } from '../compare-values.ts';
import { type Bench, type Figure, interleave, type Row } from '../harness.ts';
import { spreadOfPairs } from '../statistics.ts';
import { voiceCount, voicesQuery } from '../workload.ts';

const checkout = resolve(import.meta.dirname, '../../..');
const programs = resolve(import.meta.dirname, '../processes');
const goals = { built: { must: 0.9, aim: 0.7 }, source: { must: 2 } };

/** Start to the first answer, of the built program and of the source with its sandbox. */
export const start: Figure = { name: 'start', run };

interface Program {
  readonly file: string;
  /** Undefined: with its own sandbox. */
  readonly gatewayUrl: string | undefined;
  readonly nodeOptions: readonly string[];
}

interface StartSample {
  readonly cpuMs: number;
  readonly elapsedMs: number;
  readonly residentMb: number;
}

async function run(bench: Bench): Promise<readonly Row[]> {
  const { beforeDirectory } = bench;
  for (const directory of [checkout, beforeDirectory]) if (directory !== undefined) build(directory);
  const gatewayUrl = await bench.upstream.call('url');
  const startOf = (file: string) => () => startOnce({ file, gatewayUrl, nodeOptions: [] });
  // As `npm start` does.
  const startSource = (directory: string) => () =>
    startOnce({
      file: join(directory, 'src/start.js'),
      gatewayUrl: undefined,
      nodeOptions: findNodeOptions(directory),
    });
  const isCompared = beforeDirectory !== undefined;
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 12,
    maxMs: bench.isQuick ? 8000 : 60_000,
    work: {
      floor: startOf(join(programs, 'start-floor.js')),
      builtBefore: isCompared ? startOf(join(beforeDirectory, 'dist/start.js')) : undefined,
      built: startOf(join(checkout, 'dist/start.js')),
      sourceBefore: isCompared ? startSource(beforeDirectory) : undefined,
      source: startSource(checkout),
      plain: startOf(join(programs, 'start-yoga.js')),
    },
  });
  const rowsOf = (work: string, form: 'built' | 'source'): readonly Row[] => {
    const before = form === 'built' ? samples.builtBefore : samples.sourceBefore;
    const compare = (pick: (sample: StartSample) => number) => {
      const [gengraph, plain] = [samples[form].map(pick), samples.plain.map(pick)];
      const toPlain = spreadOfPairs(gengraph, plain);
      return {
        row: {
          ...compareValues({ floor: samples.floor.map(pick), before: before.map(pick), gengraph, plain }),
          rounds,
        },
        goal: { ...goals[form], value: toPlain.median, measure: 'yoga-ratio' as const },
        note: `${toPlain.median.toFixed(2)} (${toPlain.low.toFixed(2)}–${toPlain.high.toFixed(2)}) × plain Yoga, built`,
      };
    };
    const cpu = compare(({ cpuMs }) => cpuMs);
    const elapsed = compare(({ elapsedMs }) => elapsedMs);
    const resident = compare(({ residentMb }) => residentMb * 1024);
    return [
      { ...cpu.row, work, unit: 'ms', goal: cpu.goal, note: `processor time; ${cpu.note}` },
      { ...elapsed.row, work: '… elapsed', unit: 'ms', goal: elapsed.goal, note: elapsed.note },
      { ...resident.row, work: '… resident memory', unit: 'KB' },
    ];
  };
  return [
    ...rowsOf('start to first answer, built', 'built'),
    ...rowsOf('start to first answer, source with sandbox', 'source'),
  ];
}

function build(directory: string): void {
  // npm of this Node, and the build of the checkout.
  const path = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: directory,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function startOnce({ file, gatewayUrl, nodeOptions }: Program): Promise<StartSample> {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
  const [port, sandboxPort] = await findFreePorts(2);
  const { GATEWAY_URL: _unused, ...environment } = process.env;
  const startedAt = performance.now();
  const child = fork(file, [], {
    cwd: directory,
    execArgv: [...nodeOptions, '--require', join(programs, 'start-probe.cjs')],
    env: {
      ...environment,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: join(directory, 'data'),
      ...(gatewayUrl === undefined ? {} : { GATEWAY_URL: gatewayUrl }),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  try {
    await untilReady(child, exited);
    await askForVoices(`http://127.0.0.1:${port}/graphql`);
    const elapsedMs = performance.now() - startedAt;
    child.send('report');
    const [{ cpuMicros, residentBytes }] = (await once(child, 'message')) as [Report];
    return { cpuMs: cpuMicros / 1000, elapsedMs, residentMb: residentBytes / 2 ** 20 };
  } finally {
    // A graceful stop: the program may write a compile cache when it exits.
    child.disconnect();
    child.kill('SIGTERM');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Report {
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** Every program prints `is ready` when it listens. */
function untilReady(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      if (printed.includes('is ready')) resolve();
    });
    void exited.then(() => reject(new Error(`a program ended before it was ready: ${printed}`)));
  });
}

async function askForVoices(url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer sk-sandbox',
    },
    body: JSON.stringify({ query: voicesQuery, variables: { first: voiceCount } }),
  });
  const answer = await response.text();
  if (!response.ok || answer.includes('"errors"') || !answer.includes('voice'))
    throw new Error(`wrong answer, ${response.status}: ${answer.slice(0, 500)}`);
}

async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
