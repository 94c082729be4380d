import type { Clock } from '../../../lib/clock.ts';
import type { PollRecords, PollTarget } from '../../poll-records.ts';
import type { Instances, LiveInstance } from '../instances/instances.ts';
import type { Database } from '../basics/database.ts';
import { createPolledTasks } from './polled-tasks.ts';

const othersCacheMs = 1000;

export interface PollRecordsOptions extends Database {
  readonly clock: Clock;
  readonly instanceId: string;
  readonly instances: Pick<Instances, 'findLive' | 'leaseClock'>;
}

export function createPollRecords({
  reader,
  writes,
  clock,
  instanceId,
  instances,
}: PollRecordsOptions): PollRecords {
  const { leaseClock } = instances;
  const findLive = cacheLiveInstances(clock, instances);
  const findOthers = async () => (await findLive()).map(({ id }) => id);
  const tasks = createPolledTasks({ reader, writes, instanceId, leaseClock, findOthers });

  /** Takes the lease from its holder. Returns whether nobody was faster. */
  const take = async ({ owner, round }: PollTarget, holder: string | undefined): Promise<boolean> => {
    const lease = { instance_id: instanceId, taken_at: leaseClock() };
    if (holder === undefined) {
      const { numInsertedOrUpdatedRows } = await writes.statement((db) =>
        db
          .insertInto('poll_leases')
          .values({ owner, round, ...lease })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow(),
      );
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    }
    const { numUpdatedRows } = await writes.statement((db) =>
      db
        .updateTable('poll_leases')
        .set(lease)
        .where('owner', '=', owner)
        .where('round', '=', round)
        .where('instance_id', '=', holder)
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows > 0n;
  };
  const findHolder = async ({ owner, round }: PollTarget): Promise<string | undefined> => {
    const row = await reader
      .selectFrom('poll_leases')
      .select('instance_id')
      .where('owner', '=', owner)
      .where('round', '=', round)
      .executeTakeFirst();
    return row?.instance_id;
  };
  /** A round with its holder, if its lease is valid. Undefined if this instance is alone. */
  const findRound = async (target: PollTarget, takeFrom?: string) => {
    const others = await findLive();
    if (others.length === 0) return undefined;
    const [known, found] = await Promise.all([findHolder(target), tasks.findRound(target)]);
    const isHeld =
      known === instanceId ||
      (known !== takeFrom && others.some(({ id, isResponsive }) => id === known && isResponsive));
    return { known, holder: isHeld ? known : undefined, tasks: found };
  };
  return {
    ...tasks,
    async findResponsive() {
      return (await findLive()).filter(({ isResponsive }) => isResponsive).map(({ id }) => id);
    },
    async claim(target, takeFrom) {
      const round = await findRound(target, takeFrom);
      if (!round) return undefined;
      const takeOrFind = async () => ((await take(target, round.known)) ? instanceId : findHolder(target));
      return { holder: round.holder ?? (await takeOrFind()) ?? instanceId, tasks: round.tasks };
    },
    async find(target) {
      const { holder, tasks: found = [] } = (await findRound(target)) ?? {};
      return holder === undefined ? undefined : { holder, tasks: found };
    },
    async release({ owner, round }) {
      await writes.statement((db) =>
        db
          .deleteFrom('poll_leases')
          .where('owner', '=', owner)
          .where('round', '=', round)
          .where('instance_id', '=', instanceId)
          .execute(),
      );
    },
    async findOwners(holders) {
      if (holders.length === 0) return [];
      const rows = await reader
        .selectFrom('poll_leases')
        .select('owner')
        .where('instance_id', 'in', holders)
        .execute();
      return [...new Set(rows.map(({ owner }) => owner))];
    },
  };
}

/** Whether this instance is alone decides at every read. Concurrent callers share one statement. */
function cacheLiveInstances(
  clock: Clock,
  { findLive }: Pick<Instances, 'findLive'>,
): () => Promise<readonly LiveInstance[]> {
  let found: { readonly at: number; readonly others: Promise<readonly LiveInstance[]> } | undefined;
  return async () => {
    if (!found || clock.elapsed() >= found.at + othersCacheMs)
      found = { at: clock.elapsed(), others: findLive() };
    const current = found;
    try {
      return await current.others;
    } catch (error) {
      if (found === current) found = undefined;
      throw error;
    }
  };
}
