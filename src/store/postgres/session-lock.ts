/**
 * Advisory locks of the sessions that connect instances (`bus/postgres`). The database releases a lock when the session ends,
 * so a held lock proves that the instance is alive.
 */
const lockClass = 1_702_311;

/** Takes the lock of the instance `$1`. Shared, because its previous session may not have ended yet. */
export const takeLock = `select pg_advisory_lock_shared(${lockClass}, hashtext($1))`;

/**
 * SQL condition: the instance of a row of `instances` holds its lock. Needs no session, so it works through a pooler. A lock of
 * the session that asks proves nothing: a pooler in transaction mode has kept it.
 */
export const holdsLock = `(hashtext(instances.id)::bigint & 4294967295)::oid in (
  select objid from pg_locks
  where locktype = 'advisory' and granted and classid = ${lockClass} and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())
)`;

/**
 * The longest time that the database keeps a session, and with it the lock, after the machine of the instance or the network
 * is gone. Not shorter: the notifications to a paused process fill its receive buffer, which looks the same from then on.
 */
const silenceMs = 45_000;

/** Makes the database close the session of an unreachable instance. Has no effect on the socket of a pooler's client. */
export const closeWhenUnreachable = `
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3;
  set tcp_user_timeout = ${silenceMs}`;
