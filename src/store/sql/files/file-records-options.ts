import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../basics/database.ts';
import type { LivenessOptions } from '../instances/is-alive.ts';

export interface FileRecordsOptions extends Database, LivenessOptions {
  readonly clock: Clock;
}
