import { closeWhenUnreachable, takeLock } from '../../store/postgres/session-lock.ts';
import type { Query } from './session.ts';
import type { MessageRow } from './outbox.ts';

/**
 * Messages of the last minute. Not part of the records: every instance creates the table if it is missing, and a crash of the
 * database empties it. The number in its name changes with its columns, so that two versions can run side by side.
 */
const table = 'instance_messages_1';

/** Any constant: the key of the advisory lock of the table's creation. */
const creationLock = 7_023_111_016;

const broadcastChannel = 'gengraph_messages';

/** Creates the table, and makes the session receive messages and prove that the instance is alive. */
export async function prepareSession(query: Query, instanceId: string): Promise<void> {
  await query(`
    select pg_advisory_xact_lock(${creationLock});
    create unlogged table if not exists ${table} (
      sender text collate "C" not null,
      recipient text collate "C" not null,
      number bigint not null,
      body text not null,
      sent_at timestamptz not null default clock_timestamp(),
      primary key (sender, recipient, number)
    )`);
  await query(
    `${closeWhenUnreachable}; listen ${broadcastChannel}; listen ${quoteName(channelOf(instanceId))}`,
  );
  await query(takeLock, [instanceId]);
}

/** Inserts the rows and wakes their recipients, in one statement and transaction. */
export async function insertRows(query: Query, sender: string, rows: readonly MessageRow[]): Promise<void> {
  const channels = rows.map(({ recipient }) => (recipient === '' ? broadcastChannel : channelOf(recipient)));
  await query(
    `with sent as (
      insert into ${table} (sender, recipient, number, body)
      select $1, * from unnest($2::text[], $3::bigint[], $4::text[])
      on conflict do nothing
    )
    select pg_notify(channel, $1) from unnest($5::text[]) as channel`,
    [
      sender,
      rows.map(({ recipient }) => recipient),
      rows.map(({ number }) => number),
      rows.map(({ body }) => body),
      channels,
    ],
  );
}

/** The last row that was received from a sender. */
export interface Cursor {
  readonly sender: string;
  readonly recipient: string;
  readonly number: number;
}

export interface ReceivedRow extends Cursor {
  readonly body: string;
}

/** The last rows to all instances. */
export async function findLastRows(query: Query): Promise<readonly Cursor[]> {
  const rows = await query<{ readonly sender: string; readonly last: string }>(
    `select sender, max(number) as last from ${table} where recipient = '' group by sender`,
  );
  return rows.map(({ sender, last }) => ({ sender, recipient: '', number: Number(last) }));
}

/** Most rows of one sender that are read at once. */
export const pageSize = 200;

/** The rows after the cursors, by sender in order. */
export async function findRowsAfter(
  query: Query,
  cursors: readonly Cursor[],
): Promise<readonly ReceivedRow[]> {
  const rows = await query<Omit<ReceivedRow, 'number'> & { readonly number: string }>(
    `select m.sender, m.recipient, m.number, m.body
    from unnest($1::text[], $2::text[], $3::bigint[]) as seen(sender, recipient, number)
    cross join lateral (
      select * from ${table} as rows
      where rows.sender = seen.sender and rows.recipient = seen.recipient and rows.number > seen.number
      order by rows.number
      limit ${pageSize}
    ) as m
    order by m.sender, m.recipient, m.number`,
    [
      cursors.map(({ sender }) => sender),
      cursors.map(({ recipient }) => recipient),
      cursors.map(({ number }) => number),
    ],
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** Deletes this sender's rows after a minute, and those of senders that no longer do so. */
export async function trimRows(query: Query, sender: string): Promise<void> {
  await query(
    `delete from ${table} where sender = $1 and sent_at < clock_timestamp() - interval '1 minute'`,
    [sender],
  );
  await query(`delete from ${table} where sent_at < clock_timestamp() - interval '3 minutes'`);
}

/** The instances that are not known to be dead. */
export async function findInstanceIds(query: Query): Promise<readonly string[]> {
  return (await query<{ readonly id: string }>('select id from instances')).map(({ id }) => id);
}

function channelOf(instanceId: string): string {
  return `gengraph_${instanceId}`;
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
