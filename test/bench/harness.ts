import { type Child, startChild } from './child-process.ts';
import { createForeignLoad } from './machine-load.ts';
import type { LoadCalls } from './processes/load.ts';
import type { ServerCalls } from './processes/server-calls.ts';
import type { UpstreamCalls } from './processes/upstream.ts';
import { pin } from './processors.ts';
import { median, type Spread, spreadOfPairs } from './statistics.ts';

/** `before`: another state of Gengraph, from a checkout of its own. */
export type Subject = 'floor' | 'before' | 'gengraph' | 'plain-yoga';

export interface ServerUnderTest {
  readonly subject: Subject;
  /** Where operations go. */
  readonly url: string;
  readonly process: Child<ServerCalls>;
}

/** What a figure measures with. Whatever it starts is ended for it. */
export interface Bench {
  readonly isQuick: boolean;
  /** The checkout that `before` runs, where two states of Gengraph are compared. */
  readonly beforeDirectory?: string | undefined;
  readonly upstream: Child<UpstreamCalls>;
  readonly load: Child<LoadCalls>;
  /** Every process of the bench. */
  readonly processIds: () => readonly number[];
  /** A server of its own, never used before. */
  start(subject: Subject): Promise<ServerUnderTest>;
}

export interface Row {
  readonly work: string;
  readonly unit: 'µs' | 'KB' | 'B' | 'ms';
  readonly floor: number;
  readonly gengraph: number;
  readonly plainYoga?: number | undefined;
  /** Gengraph to floor: the median over rounds of each round's own ratio. */
  readonly ratio?: Spread | undefined;
  readonly plainRatio?: Spread | undefined;
  readonly before?: Before | undefined;
  /** From design section 9. */
  readonly budget?: { readonly text: string; readonly isMet: boolean } | undefined;
  readonly rounds: Rounds;
  readonly note?: string | undefined;
}

/** What another state of Gengraph came to in the same rounds. */
export interface Before {
  readonly value: number;
  /** To the floor. */
  readonly ratio?: Spread | undefined;
  /** Gengraph to it: the median over rounds of each round's own ratio, as all of them. */
  readonly change?: Spread | undefined;
  /** Delay over the floor's, of it and of Gengraph. */
  readonly addedMicros?: { readonly before: number; readonly gengraph: number } | undefined;
}

/** One line, or a few that belong together, of the design's performance budget. */
export interface Figure {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<readonly Row[]>;
}

export interface BenchOptions {
  readonly isQuick: boolean;
  readonly beforeDirectory?: string | undefined;
  /** Writes CPU profiles of Gengraph here. The figures of such a run are not comparable. */
  readonly profileDirectory?: string | undefined;
}

/** Runs one figure among processes of its own. */
export async function runFigure(figure: Figure, options: BenchOptions): Promise<readonly Row[]> {
  const children: Child<never>[] = [];
  const keep = <C extends Child<never>>(child: C): C => {
    children.push(child);
    return child;
  };
  try {
    const upstream = keep(await startChild<UpstreamCalls>('upstream'));
    const load = keep(await startChild<LoadCalls>('load'));
    pin(upstream.processId, 'other');
    pin(load.processId, 'other');
    const upstreamUrl = await upstream.call('url');
    const start = async (subject: Subject): Promise<ServerUnderTest> => {
      const server = keep(
        await startChild<ServerCalls>(subject, {
          arguments: serverArguments(options, subject, upstreamUrl),
          nodeOptions: ['--expose-gc', ...(subject === 'gengraph' ? profileOptions(figure, options) : [])],
        }),
      );
      pin(server.processId, 'server');
      const origin = await server.call('url');
      return { subject, process: server, url: subject === 'floor' ? origin : `${origin}/graphql` };
    };
    return await figure.run({
      isQuick: options.isQuick,
      beforeDirectory: options.beforeDirectory,
      upstream,
      load,
      start,
      processIds: () => [process.pid, ...children.map(({ processId }) => processId)],
    });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

/** What the program of a subject is told. */
export function serverArguments(
  { beforeDirectory }: Pick<BenchOptions, 'beforeDirectory'>,
  subject: Subject,
  upstreamUrl: string,
): readonly string[] {
  if (subject !== 'before') return [upstreamUrl];
  if (beforeDirectory === undefined) throw new Error('there is no checkout to start as before');
  return [upstreamUrl, beforeDirectory];
}

/** The other state of Gengraph, where there is one to compare with. */
export async function startBefore(bench: Bench): Promise<ServerUnderTest | undefined> {
  return bench.beforeDirectory === undefined ? undefined : bench.start('before');
}

function profileOptions(figure: Figure, { profileDirectory }: BenchOptions): readonly string[] {
  if (profileDirectory === undefined) return [];
  return [
    '--cpu-prof',
    `--cpu-prof-dir=${profileDirectory}`,
    `--cpu-prof-name=${figure.name}.${Date.now()}.cpuprofile`,
  ];
}

/** Processor time of a server while some work is done, and how much work that was. */
export interface Sample {
  readonly cpuMicros: number;
  readonly units: number;
}

export async function measure(server: ServerUnderTest, work: () => Promise<number>): Promise<Sample> {
  const before = await server.process.call('cpuMicros');
  const units = await work();
  return { units, cpuMicros: (await server.process.call('cpuMicros')) - before };
}

/** On how much a row stands. */
export interface Rounds {
  readonly run: number;
  /** Those in which others left the machine alone. Chosen without a look at the results. */
  readonly kept: number;
  /** Share of the machine that others used in those; undefined where the system does not tell. */
  readonly foreignShare?: number | undefined;
}

/** Above this the figures move: a floor that waits for a processor costs more, or its reads come in clusters. */
export const calmShare = 0.1;

export interface Interleaving<Name extends string, Result> {
  /** How many calm rounds are enough. */
  readonly calmRounds: number;
  /** No round begins after this, or half as much again with a `before`; three are run whatever the time. */
  readonly maxMs: number;
  /** A name without work has no samples. */
  readonly work: { readonly [key in Name]: (() => Promise<Result>) | undefined };
}

export interface Interleaved<Name extends string, Result> {
  /** Of the kept rounds. */
  readonly samples: { readonly [key in Name]: readonly Result[] };
  readonly rounds: Rounds;
}

/**
 * Takes turns, in one order and then in the other, so that what slows the machine for a while slows all of them and
 * none is always the first. Keeps the calm rounds, or the calmest third where fewer were calm.
 */
export async function interleave<Name extends string, Result>(
  { processIds, beforeDirectory }: Bench,
  { calmRounds, maxMs, work }: Interleaving<Name, Result>,
): Promise<Interleaved<Name, Result>> {
  const names = Object.keys(work) as Name[];
  const foreignLoad = createForeignLoad(processIds);
  const all: { readonly results: Map<Name, Result>; readonly foreignShare: number }[] = [];
  const calm = () => all.filter(({ foreignShare }) => foreignShare < calmShare);
  // The first turns after a warm-up of others are not like the later ones.
  for (const name of names) await work[name]?.();
  const limitMs = beforeDirectory === undefined ? maxMs : 1.5 * maxMs;
  const startedAt = performance.now();
  while (all.length < 3 || (calm().length < calmRounds && performance.now() - startedAt < limitMs)) {
    const results = new Map<Name, Result>();
    foreignLoad.next();
    for (const name of all.length % 2 === 0 ? names : names.toReversed()) {
      const result = await work[name]?.();
      if (result !== undefined) results.set(name, result);
    }
    all.push({ results, foreignShare: foreignLoad.next() ?? 0 });
  }
  const calmest = all.toSorted((left, right) => left.foreignShare - right.foreignShare);
  const kept = calmest.slice(0, Math.max(calm().length, 3, Math.ceil(all.length / 3)));
  const samples = Object.fromEntries(
    names.map((name) => [name, kept.flatMap(({ results }) => results.get(name) ?? [])]),
  );
  return {
    // One entry for each name.
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

/** Round by round. */
export function ratioOf(samples: readonly Sample[], floor: readonly Sample[]): Spread {
  return spreadOfPairs(toMicros(samples), toMicros(floor));
}

/** Nothing where there is no `before`. */
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
