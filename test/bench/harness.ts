import { join } from 'node:path';
import { findNodeOptions } from './checkout.ts';
import { type Child, startChild } from './child-process.ts';
import type { Goal } from './goals.ts';
import { createForeignLoad } from './machine-load.ts';
import type { LoadCalls } from './processes/load.ts';
import type { ServerCalls } from './processes/server-calls.ts';
import type { UpstreamCalls } from './processes/upstream.ts';
import { pin } from './processors.ts';
import { median, type Spread, spreadOfPairs } from './statistics.ts';

/** `before`: another version of Gengraph, from a separate checkout. */
export type Subject = 'floor' | 'before' | 'gengraph' | 'plain-yoga';

export interface ServerUnderTest {
  readonly subject: Subject;
  /** URL for operations. */
  readonly url: string;
  readonly process: Child<ServerCalls>;
}

/** Tools of a figure. The harness ends all processes that a figure starts. */
export interface Bench {
  readonly isQuick: boolean;
  /** Checkout of `before`, if two versions of Gengraph are compared. */
  readonly beforeDirectory?: string | undefined;
  /** Directory for CPU profiles, if they are requested. */
  readonly profileDirectory?: string | undefined;
  readonly upstream: Child<UpstreamCalls>;
  readonly load: Child<LoadCalls>;
  /** Ids of all processes of the bench. */
  readonly processIds: () => readonly number[];
  /** Starts further clients in a process of their own. */
  startLoad(): Promise<Child<LoadCalls>>;
  /** Starts a new server. */
  start(subject: Subject, options?: StartOptions): Promise<ServerUnderTest>;
}

export interface StartOptions {
  /** Directory for the records of Gengraph. @default in memory */
  readonly dataDirectory?: string;
  /** Further environment variables of Gengraph. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Environment variables of the process that Gengraph does not read. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Row {
  readonly work: string;
  readonly unit: 'µs' | 'KB' | 'B' | 'ms' | 'tokens/s' | '/s' | 'per create' | 'writes';
  /** Absent without a baseline. */
  readonly floor?: number | undefined;
  readonly gengraph: number;
  readonly plainYoga?: number | undefined;
  /** Gengraph to floor: median of the ratios of the rounds. */
  readonly ratio?: Spread | undefined;
  readonly plainRatio?: Spread | undefined;
  readonly before?: Before | undefined;
  readonly goal?: Goal | undefined;
  readonly rounds: Rounds;
  readonly note?: string | undefined;
}

/** Result of the other version of Gengraph in the same rounds. */
export interface Before {
  readonly value: number;
  /** Ratio to the floor. */
  readonly ratio?: Spread | undefined;
  /** Gengraph to `before`: median and spread of the ratios of the rounds. */
  readonly change?: Spread | undefined;
  /** Delay added to the floor, by `before` and by Gengraph. */
  readonly addedMicros?: { readonly before: number; readonly gengraph: number } | undefined;
}

/** One or more related lines of the performance budget. */
export interface Figure {
  readonly name: string;
  /** False for delays that the garbage collector causes: it marks on the other processors. @default true */
  readonly isPinned?: boolean;
  readonly run: (bench: Bench) => Promise<readonly Row[]>;
}

export interface BenchOptions {
  readonly isQuick: boolean;
  readonly beforeDirectory?: string | undefined;
  /** Directory for CPU profiles of Gengraph and the version before. The figures of a profiled run are not comparable. */
  readonly profileDirectory?: string | undefined;
}

/** Runs one figure in separate processes. */
export async function runFigure(figure: Figure, options: BenchOptions): Promise<readonly Row[]> {
  const children: Child<never>[] = [];
  const keep = <C extends Child<never>>(child: C): C => {
    children.push(child);
    return child;
  };
  try {
    const upstream = keep(await startChild<UpstreamCalls>('upstream'));
    const pinTo = ({ processId }: Child<never>, role: 'server' | 'other'): void => {
      if (figure.isPinned !== false) pin(processId, role);
    };
    pinTo(upstream, 'other');
    const startLoad = async (): Promise<Child<LoadCalls>> => {
      const load = keep(await startChild<LoadCalls>('load'));
      pinTo(load, 'other');
      return load;
    };
    const upstreamUrl = await upstream.call('url');
    const start = async (subject: Subject, startOptions: StartOptions = {}): Promise<ServerUnderTest> => {
      const server = keep(
        await startChild<ServerCalls>(subject, {
          arguments: serverArguments(options, { subject, upstreamUrl, ...startOptions }),
          ...(startOptions.env && { env: startOptions.env }),
          nodeOptions: [
            ...serverNodeOptions(options, subject),
            ...profileOptions(options, { subject, figure: figure.name }),
          ],
        }),
      );
      if (options.profileDirectory === undefined) pinTo(server, 'server');
      const origin = await server.call('url');
      return { subject, process: server, url: subject === 'floor' ? origin : `${origin}/graphql` };
    };
    return await figure.run({
      isQuick: options.isQuick,
      beforeDirectory: options.beforeDirectory,
      profileDirectory: options.profileDirectory,
      upstream,
      load: await startLoad(),
      startLoad,
      start,
      processIds: () => [process.pid, ...children.map(({ processId }) => processId)],
    });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

interface ServerOptions extends StartOptions {
  readonly subject: Subject;
  readonly upstreamUrl: string;
}

/** Arguments for the program of a subject. */
export function serverArguments(
  { beforeDirectory }: Pick<BenchOptions, 'beforeDirectory'>,
  { subject, upstreamUrl, dataDirectory = ':memory:', settings }: ServerOptions,
): readonly string[] {
  const environment = JSON.stringify({ DATA_DIR: dataDirectory, ...settings });
  if (subject !== 'before') return [upstreamUrl, environment];
  if (beforeDirectory === undefined) throw new Error('no checkout to run as before');
  return [upstreamUrl, environment, beforeDirectory];
}

const ownCheckout = join(import.meta.dirname, '../..');

/** Options of Node for a subject. Gengraph has those of its `start` script, the others have Node's defaults. */
export function serverNodeOptions(
  { beforeDirectory = ownCheckout }: Pick<BenchOptions, 'beforeDirectory'>,
  subject: Subject,
): readonly string[] {
  if (subject === 'gengraph') return ['--expose-gc', ...findNodeOptions(ownCheckout)];
  return ['--expose-gc', ...(subject === 'before' ? findNodeOptions(beforeDirectory) : [])];
}

/** The other version of Gengraph, if one is compared. */
export async function startBefore(
  bench: Bench,
  options?: StartOptions,
): Promise<ServerUnderTest | undefined> {
  return bench.beforeDirectory === undefined ? undefined : bench.start('before', options);
}

interface ProfiledSubject {
  readonly subject: Subject;
  readonly figure: string;
}

/**
 * Options of Node that write a CPU profile of a version of Gengraph. Do not pin a profiled process: its sampling thread would
 * share the processor and run mostly during system calls.
 */
export function profileOptions(
  { profileDirectory }: Pick<BenchOptions, 'profileDirectory'>,
  profiled: ProfiledSubject,
): readonly string[] {
  const name = profileName(profiled);
  if (profileDirectory === undefined || name === undefined) return [];
  return ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`, `--cpu-prof-name=${name}`];
}

/** Undefined for a subject that is no version of Gengraph. */
export function profileName({ subject, figure }: ProfiledSubject): string | undefined {
  return subject === 'gengraph' || subject === 'before'
    ? `${figure}.${subject}.${Date.now()}.cpuprofile`
    : undefined;
}

/** Processor time and number of units of a piece of work. */
export interface Sample {
  readonly cpuMicros: number;
  readonly units: number;
}

export async function measure(server: ServerUnderTest, work: () => Promise<number>): Promise<Sample> {
  const before = await server.process.call('cpuMicros');
  const units = await work();
  return { units, cpuMicros: (await server.process.call('cpuMicros')) - before };
}

/** How many rounds a row is based on. */
export interface Rounds {
  readonly run: number;
  /** Rounds in which other processes were quiet. Selected without regard to the results. */
  readonly kept: number;
  /** Share of the machine that other processes used in those rounds. Undefined if the system does not report it. */
  readonly foreignShare?: number | undefined;
}

/** Above this share the figures are distorted: a floor that waits for a processor costs more or reads in clusters. */
export const maxQuietShare = 0.1;

export interface Interleaving<Name extends string, Result> {
  /** Stop after this many quiet rounds. */
  readonly quietRounds: number;
  /** No round starts after this time (1.5 times as long with `before`). At least three rounds run. */
  readonly maxMs: number;
  /** A subject without work has no samples. */
  readonly work: { readonly [key in Name]: (() => Promise<Result>) | undefined };
}

export interface Interleaved<Name extends string, Result> {
  /** Samples of the kept rounds. */
  readonly samples: { readonly [key in Name]: readonly Result[] };
  readonly rounds: Rounds;
}

/**
 * Interleaves the subjects in alternating order, so that a temporary slowdown affects all of them and none is always first.
 * Keeps the quiet rounds, or the quietest third if there are too few.
 */
export async function interleave<Name extends string, Result>(
  { processIds, beforeDirectory }: Bench,
  { quietRounds, maxMs, work }: Interleaving<Name, Result>,
): Promise<Interleaved<Name, Result>> {
  const names = Object.keys(work) as Name[];
  const foreignLoad = createForeignLoad(processIds);
  const all: { readonly results: Map<Name, Result>; readonly foreignShare: number }[] = [];
  const quiet = () => all.filter(({ foreignShare }) => foreignShare < maxQuietShare);
  // The first turns after the warm-up of another subject are not representative.
  for (const name of names) await work[name]?.();
  const limitMs = beforeDirectory === undefined ? maxMs : 1.5 * maxMs;
  const startedAt = performance.now();
  while (all.length < 3 || (quiet().length < quietRounds && performance.now() - startedAt < limitMs)) {
    const results = new Map<Name, Result>();
    foreignLoad.next();
    for (const name of all.length % 2 === 0 ? names : names.toReversed()) {
      const result = await work[name]?.();
      if (result !== undefined) results.set(name, result);
    }
    all.push({ results, foreignShare: foreignLoad.next() ?? 0 });
  }
  const quietest = all.toSorted((left, right) => left.foreignShare - right.foreignShare);
  const kept = quietest.slice(0, Math.max(quiet().length, 3, Math.ceil(all.length / 3)));
  const samples = Object.fromEntries(
    names.map((name) => [name, kept.flatMap(({ results }) => results.get(name) ?? [])]),
  );
  return {
    // One entry per name.
    samples: samples as { [key in Name]: Result[] },
    rounds: {
      run: all.length,
      kept: kept.length,
      foreignShare: median(kept.map(({ foreignShare }) => foreignShare)),
    },
  };
}

export function microsPerUnit(samples: readonly Sample[]): number {
  return median(toMicros(samples));
}

function toMicros(samples: readonly Sample[]): readonly number[] {
  return samples.map(({ cpuMicros, units }) => cpuMicros / units);
}

/** Per round. */
export function ratioOf(samples: readonly Sample[], floor: readonly Sample[]): Spread {
  return spreadOfPairs(toMicros(samples), toMicros(floor));
}

/** Empty without `before`. */
export function compareWithBefore(
  before: readonly Sample[],
  gengraph: readonly Sample[],
  floor: readonly Sample[],
): Before | undefined {
  if (before.length === 0) return undefined;
  return {
    value: microsPerUnit(before),
    ratio: ratioOf(before, floor),
    change: ratioOf(gengraph, before),
  };
}

export function assertCount(what: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${what}: ${actual}, expected ${expected}`);
}
