import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../basics/database.ts';
import type { TaskCache } from '../tasks/task-cache.ts';
import type { LivenessOptions } from '../instances/is-alive.ts';

export interface FileRecordsOptions extends Database, LivenessOptions {
  readonly clock: Clock;
  readonly tasks: TaskCache;
}
