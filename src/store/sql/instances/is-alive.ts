import { type RawBuilder, sql } from 'kysely';

export interface LivenessOptions {
  readonly instanceId: string;
  /** Absent if one instance at a time uses the records: all others are dead. */
  readonly instances?: object | undefined;
}

/** SQL condition: the instance of a row is alive. The rows of dead instances are removed from `instances`. */
export function isAlive({ instanceId, instances }: LivenessOptions): RawBuilder<boolean> {
  if (!instances) return sql`instance_id = ${instanceId}`;
  return sql`(instance_id = ${instanceId} or exists (select 1 from instances where instances.id = instance_id))`;
}

/** SQL condition: no other instance that is alive works on the row. */
export function isFree(options: LivenessOptions): RawBuilder<boolean> {
  return sql`(instance_id is null or not ${isAlive(options)} or instance_id = ${options.instanceId})`;
}
