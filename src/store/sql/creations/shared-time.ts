import { type RawBuilder, sql } from 'kysely';
import { minuteMs } from '../../../lib/time.ts';
import type { Instances } from '../instances/instances.ts';
import type { MinuteClock } from './limit-uses.ts';

export interface SharedTimeOptions {
  readonly minuteClock: MinuteClock;
  /** Absent if one instance at a time uses the records. */
  readonly instances?: Pick<Instances, 'leaseClock'> | undefined;
}

/** From when on the key of a create is kept. Both times are by the clock of this instance. */
export type KeptFrom = (time: number, now: number) => RawBuilder<number>;

/** How far a key may be dated back. An update of each row would change its index. */
const maxBehindMs = minuteMs;

/** Other instances would delete the keys of an instance whose clock is behind: they are dated by the clock of all. */
export function createKeptFrom({ minuteClock, instances }: SharedTimeOptions): KeptFrom {
  if (!instances || minuteClock === 'instance') return (time) => sql`cast(${time} as bigint)`;
  return (time, now) =>
    sql`greatest(cast(${time} as bigint), ${instances.leaseClock(now)} - ${sql.lit(maxBehindMs)})`;
}
