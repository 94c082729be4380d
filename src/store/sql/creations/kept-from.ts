import type { Clock } from '../../../lib/clock.ts';
import { clockToleranceMs } from '../../../lib/time.ts';
import { aheadMs } from '../../sharing.ts';
import type { Instances } from '../instances/instances.ts';

export interface KeptFromOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Absent if one instance at a time uses the records. */
  readonly instances?: Pick<Instances, 'now'> | undefined;
}

/** From when on the key of a create is kept: other instances would delete it early if the clock of this one is behind. */
export function keptFrom(time: number, { clock, instances }: KeptFromOptions): number {
  const behindMs = -aheadMs({ sharing: instances }, clock);
  return behindMs > clockToleranceMs ? time + behindMs : time;
}
