import { type ExpressionBuilder, type InsertObject, type RawBuilder, sql, type UpdateObject } from 'kysely';
import { type PolledTask, type PollRecords, type PollTarget, watchRequestMs } from '../../poll-records.ts';
import type { LeaseClock } from '../instances/instances.ts';
import { fromTextColumn, isRecordId } from '../basics/columns.ts';
import type { Database } from '../basics/database.ts';
import type { PolledTaskRow, Tables } from '../basics/tables.ts';

/** Rows of one statement. Engines limit its parameters. */
const maxRows = 1000;

export interface PolledTasksOptions extends Database {
  readonly instanceId: string;
  readonly leaseClock: LeaseClock;
  /** The other live instances. */
  readonly findOthers: () => Promise<readonly string[]>;
}

/** What instances know about the tasks that they poll. */
export interface PolledTasks extends Pick<
  PollRecords,
  'saveRequests' | 'endFollowing' | 'saveReadings' | 'findPolled'
> {
  findRound(target: PollTarget): Promise<readonly PolledTask[]>;
}

export function createPolledTasks({
  reader,
  writes,
  instanceId,
  leaseClock,
  findOthers,
}: PolledTasksOptions): PolledTasks {
  const isFuture = (column: 'watched_until' | 'fresh_until') =>
    sql<0 | 1>`case when ${sql.ref(column)} > ${leaseClock()} then 1 else 0 end`;
  const selectTasks = () =>
    reader
      .selectFrom('polled_tasks')
      .select(['id', 'followed_until', 'read_by', 'read_at', 'failure'])
      .select([isFuture('watched_until').as('is_watched'), isFuture('fresh_until').as('is_fresh')]);

  /** Inserts or updates rows in the order of their ids, so that two instances do not deadlock. */
  const put = async (
    rows: readonly NewRow[],
    update: UpdateObject<Tables, 'polled_tasks'>,
  ): Promise<void> => {
    const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (let start = 0; start < sorted.length; start += maxRows)
      await writes.statement((db) =>
        db
          .insertInto('polled_tasks')
          .values(sorted.slice(start, start + maxRows))
          .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(update))
          .execute(),
      );
  };

  return {
    async findRound({ owner, round }) {
      const rows = await selectTasks().where('owner', '=', owner).where('round', '=', round).execute();
      return rows.map(toPolledTask);
    },
    saveRequests: ({ owner, round }, requests) =>
      put(
        requests.map(({ id, isWatched, followedUntil = 0 }) => ({
          owner,
          id,
          round,
          ...unread,
          watched_until: isWatched ? sql<number>`${leaseClock()} + ${watchRequestMs}` : 0,
          followed_until: followedUntil,
        })),
        { watched_until: later('watched_until'), followed_until: later('followed_until') },
      ),
    async endFollowing(owner, ids) {
      if (ids.length === 0) return;
      await writes.statement((db) =>
        db
          .updateTable('polled_tasks')
          .set({ followed_until: 0 })
          .where('owner', '=', owner)
          .where('id', 'in', ids)
          .execute(),
      );
    },
    async saveReadings({ owner, round }, readings) {
      const over = readings.filter(({ isOver }) => isOver).map(({ id }) => id);
      if (over.length > 0)
        await writes.statement((db) =>
          db.deleteFrom('polled_tasks').where('owner', '=', owner).where('id', 'in', over).execute(),
        );
      const going = readings.filter(({ isOver }) => !isOver);
      const rows = going.map(({ id, freshMs, lastReadAt, readFailure }) => ({
        owner,
        id,
        round,
        ...unwanted,
        fresh_until: sql<number>`${leaseClock()} + ${Math.round(freshMs)}`,
        read_by: instanceId,
        read_at: lastReadAt ?? null,
        failure: readFailure ? JSON.stringify(readFailure) : null,
      }));
      await put(rows, {
        fresh_until: sql.ref('excluded.fresh_until'),
        read_by: sql.ref('excluded.read_by'),
        read_at: sql`coalesce(excluded.read_at, polled_tasks.read_at)`,
        failure: sql.ref('excluded.failure'),
      });
    },
    async findPolled(owner, ids) {
      const others = ids.length > 0 ? await findOthers() : [];
      const wanted = others.length > 0 ? ids.filter(isRecordId) : [];
      if (wanted.length === 0) return ids.map(() => undefined);
      const rows = await selectTasks()
        .where('owner', '=', owner)
        .where('id', 'in', wanted)
        .where(isHeldBy([instanceId, ...others]))
        .execute();
      const found = new Map(rows.map((row) => [row.id, toPolledTask(row)]));
      return ids.map((id) => found.get(id));
    },
  };
}

function isHeldBy(holders: readonly string[]) {
  return (row: ExpressionBuilder<Tables, 'polled_tasks'>) =>
    row.exists(
      row
        .selectFrom('poll_leases')
        .select(sql<number>`1`.as('one'))
        .whereRef('poll_leases.owner', '=', 'polled_tasks.owner')
        .whereRef('poll_leases.round', '=', 'polled_tasks.round')
        .where('poll_leases.instance_id', 'in', holders),
    );
}

/** The later of the stored time and the new one. */
function later(column: 'watched_until' | 'followed_until'): RawBuilder<number> {
  const [stored, given] = [sql.ref(`polled_tasks.${column}`), sql.ref(`excluded.${column}`)];
  return sql`case when ${given} > ${stored} then ${given} else ${stored} end`;
}

const unread = { fresh_until: 0, read_by: null, read_at: null, failure: null };
const unwanted = { watched_until: 0, followed_until: 0 };

type NewRow = InsertObject<Tables, 'polled_tasks'> & Pick<PolledTaskRow, 'id'>;

interface SelectedRow extends Pick<
  PolledTaskRow,
  'id' | 'followed_until' | 'read_by' | 'read_at' | 'failure'
> {
  readonly is_watched: 0 | 1;
  readonly is_fresh: 0 | 1;
}

function toPolledTask(row: SelectedRow): PolledTask {
  return {
    id: row.id,
    isWatched: row.is_watched === 1,
    followedUntil: row.followed_until > 0 ? row.followed_until : undefined,
    isFresh: row.is_fresh === 1,
    readBy: row.read_by ?? undefined,
    lastReadAt: row.read_at ?? undefined,
    readFailure: fromTextColumn('readFailure', row.failure),
  };
}
