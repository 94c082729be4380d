import {
  type Bench,
  compareWithBefore,
  microsPerUnit,
  ratioOf,
  type Row,
  type Sample,
  type ServerUnderTest,
  startBefore,
} from './harness.ts';
import type { Spread } from './statistics.ts';

/** One value for each server under test. `before` is undefined unless two versions are compared. */
export interface Servers<Value = ServerUnderTest> {
  readonly floor: Value;
  readonly before: Value | undefined;
  readonly gengraph: Value;
  readonly plain: Value;
}

/** Starts all servers, one after the other. */
export async function startServers(bench: Bench): Promise<Servers> {
  return {
    floor: await bench.start('floor'),
    before: await startBefore(bench),
    gengraph: await bench.start('gengraph'),
    plain: await bench.start('plain-yoga'),
  };
}

/** Prepares the servers one after the other. */
export async function forEachServer<Value>(
  { floor, before, gengraph, plain }: Servers,
  prepare: (server: ServerUnderTest) => Value | Promise<Value>,
): Promise<Servers<Value>> {
  return {
    floor: await prepare(floor),
    before: before && (await prepare(before)),
    gengraph: await prepare(gengraph),
    plain: await prepare(plain),
  };
}

/** Samples of the same rounds. */
export interface Compared<Result extends Sample = Sample> {
  readonly floor: readonly Result[];
  /** Empty unless two versions are compared. */
  readonly before: readonly Result[];
  readonly gengraph: readonly Result[];
  /** @default plain Yoga was not measured */
  readonly plain?: readonly Result[];
}

export interface Costs extends Pick<
  Row,
  'unit' | 'floor' | 'gengraph' | 'plainYoga' | 'plainRatio' | 'before'
> {
  readonly ratio: Spread;
}

/** Processor time per unit of work. */
export function compareCosts({ floor, before, gengraph, plain }: Compared): Costs {
  return {
    unit: 'µs',
    floor: microsPerUnit(floor),
    gengraph: microsPerUnit(gengraph),
    plainYoga: plain && microsPerUnit(plain),
    ratio: ratioOf(gengraph, floor),
    plainRatio: plain && ratioOf(plain, floor),
    before: compareWithBefore(before, gengraph, floor),
  };
}
