import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { minuteMs } from '../../../lib/time.ts';
import type { CreationPhase } from '../../records.ts';
import type { Deadline } from '../../store.ts';
import type { Database } from '../basics/database.ts';
import { groupWrites } from '../basics/group-writes.ts';
import { listIds, type NamedIds, nameIds } from '../basics/named-ids.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { Tables } from '../basics/tables.ts';
import type { MinuteClock } from './limit-uses.ts';
import type { Instances } from '../instances/instances.ts';

export interface MarkSendingOptions extends Pick<Database, 'writes'> {
  readonly clock: Clock;
  readonly minuteClock: MinuteClock;
  /** A create is sent only with a valid lease. Absent if one instance at a time uses the records. */
  readonly instances?: Pick<Instances, 'holdsLease' | 'leaseClock'> | undefined;
  /**
   * Checks that the next process will find the writes of this one. Called before every create.
   * @throws RecordsUnavailableError if it will not
   */
  readonly checkFiles?: (() => void) | undefined;
}

interface Sending {
  readonly id: string;
  readonly deadline: Deadline;
}

/** Creates of one turn of the event loop share a statement, because each waits for the disk. */
const maxMarked = 100;

interface Marking extends NamedIds {
  readonly now: number;
}

/** A request may be sent only after this. A takeover of the claim deletes the row under the same lock. */
export function createMarkSending({
  writes,
  instances,
  checkFiles,
  clock,
  minuteClock,
}: MarkSendingOptions): (sending: Sending) => Promise<boolean> {
  const mark = prepareQuery((db, { now, ...ids }: Marking) => {
    const marking = markClaimed(db, listIds(ids), sharedNowOf({ instances, minuteClock }, now));
    return instances ? marking.where(instances.holdsLease(now)) : marking;
  });
  return groupWrites<Sending, boolean>({
    keyOf: ({ id }) => id,
    maxSize: maxMarked,
    async write(group) {
      const ids = group.map(({ id }) => id);
      // The latest: a create that has waited long fails no other.
      const deadline = Math.max(...group.map((sending) => sending.deadline));
      const marked = await writes.statement(async (connection) => {
        checkFiles?.();
        return mark(connection, { ...nameIds(ids), now: clock.now() });
      }, deadline);
      // After a power failure too, a request that was sent has a mark.
      await writes.sync();
      const sending = new Set(marked.rows.filter(({ phase }) => phase === 'SENDING').map(({ id }) => id));
      return ids.map((id) => sending.has(id));
    },
  });
}

/** How far a key may be dated back. An update of each row would change its index. */
const maxBehindMs = minuteMs;

/** The time by the clock of all instances. Undefined if they have the same one. */
export function sharedNowOf(
  { instances, minuteClock }: Pick<MarkSendingOptions, 'instances' | 'minuteClock'>,
  now: number,
): RawBuilder<number> | undefined {
  return minuteClock === 'database' ? instances?.leaseClock(now) : undefined;
}

/** From when on a key is kept, about: other instances would delete those of an instance whose clock is behind. */
export function keptFrom(time: RawBuilder<number>, sharedNow: RawBuilder<number>): RawBuilder<number> {
  return sql`greatest(${time}, ${sharedNow} - ${sql.lit(maxBehindMs)})`;
}

/** A create that was canceled meanwhile is settled instead. */
function markClaimed(db: Kysely<Tables>, ids: readonly string[], sharedNow: RawBuilder<number> | undefined) {
  return db
    .updateTable('creations')
    .set({
      phase: sql<CreationPhase>`case when exists (
        select 1 from generations where generations.id = creations.subject_id and generations.finished_at is not null
      ) then 'SETTLED' else 'SENDING' end`,
      ...(sharedNow && {
        created_at: keptFrom(sql`created_at`, sharedNow),
      }),
    })
    .where('id', 'in', ids)
    .where('phase', '=', 'CLAIMED')
    .returning(['id', 'phase']);
}
