import type { Clock } from '../../../lib/clock.ts';
import { minuteMs } from '../../../lib/time.ts';
import type { Instances } from '../instances/instances.ts';

export interface KeptFromOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Absent if one instance at a time uses the records. */
  readonly instances?: Pick<Instances, 'now'> | undefined;
}

/** A clock that is less behind does no harm. */
const maxBehindMs = minuteMs;

/** From when on the key of a create is kept: other instances would delete it early if the clock of this one is behind. */
export function keptFrom(time: number, { clock, instances }: KeptFromOptions): number {
  const behindMs = instances ? instances.now() - clock.now() : 0;
  return behindMs > maxBehindMs ? time + behindMs : time;
}
