import type { Clock } from '../../lib/clock.ts';
import type { Exchange } from '../exchange.ts';
import { createInbox, type Inbox } from './inbox.ts';
import {
  endLeases,
  findInstances,
  findLastRows,
  findRowsAfter,
  insertRows,
  prepareSession,
  trimRows,
} from './messages-table.ts';
import { createOutbox } from './outbox.ts';
import { createPresence } from './presence.ts';
import { openSession, type Session } from './session.ts';

export interface PostgresExchangeOptions {
  /** Not of a pooler in transaction mode: the connection listens. */
  readonly url: string;
  readonly instanceId: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Longest time of a statement. */
  readonly timeoutMs: number;
  /**
   * Called when a session holds the lock of this instance, and every second while there is none: the others see only by the
   * lease then that this instance is alive.
   */
  readonly renewLease: (needsLock: boolean) => Promise<void>;
  readonly onLost: (error: unknown) => void;
}

/** Reads even without a notification this often. */
const checkMs = 1000;
const trimMs = 10_000;

/**
 * Exchange over one connection. Messages are rows of an unlogged table, a notification only says who sent some.
 * @throws if the first connection fails
 */
export async function createPostgresExchange(options: PostgresExchangeOptions): Promise<Exchange> {
  const { url, instanceId, clock, random, timeoutMs, renewLease } = options;
  const listeners = new Map<string, Set<(body: unknown, sender: string) => void>>();
  const gapListeners = new Set<() => void>();
  const deathListeners = new Set<() => void>();
  const presence = createPresence(instanceId);
  let connectedAt: number | undefined;
  let trimmedAt = clock.elapsed();
  let cancelCheck: (() => void) | undefined;
  let isClosed = false;
  let session: Session | undefined;
  let inbox: Inbox | undefined;

  const query = <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
    session ? session.query<Row>(text, values) : Promise.reject(new Error('there is no connection'));
  const outbox = createOutbox({ clock, write: (rows) => insertRows(query, instanceId, rows) });
  inbox = createInbox({
    instanceId,
    findRowsAfter: (cursors) => findRowsAfter(query, cursors),
    onGap: () => callAll(gapListeners),
    onRow({ body, sender }) {
      for (const [topic, message] of JSON.parse(body) as [string, unknown][])
        for (const onMessage of listeners.get(topic) ?? []) onMessage(message, sender);
    },
  });
  const { read, readAll, startAfter, keep } = inbox;

  const check = async (): Promise<void> => {
    if (connectedAt === undefined) return renewLease(false);
    const instances = await findInstances(query);
    // The others considered this instance dead, or a renewal failed.
    if (!instances.find(({ id }) => id === instanceId)?.needs_lock) await renewLease(true);
    const dead = presence.check(instances, clock.elapsed());
    const ids = new Set(instances.map(({ id }) => id));
    await read(ids);
    // An instance may have sent its last messages before it stopped.
    await readAll();
    keep(ids);
    if (dead.length > 0) {
      await endLeases(query, dead);
      callAll(deathListeners);
    }
    if (clock.elapsed() - trimmedAt < trimMs) return;
    trimmedAt = clock.elapsed();
    await trimRows(query, instanceId);
  };
  /** The next check repeats a failed renewal. */
  const announce = (needsLock: boolean): void => {
    renewLease(needsLock).catch(() => {});
  };
  const scheduleCheck = (): void => {
    if (isClosed) return;
    cancelCheck = clock.after(checkMs, () => {
      // The next check repeats a failed one.
      void check()
        .catch(() => {})
        .finally(scheduleCheck);
    });
  };

  session = await openSession({
    url,
    clock,
    random,
    timeoutMs,
    prepare: (run) => prepareSession(run, instanceId),
    onConnected() {
      connectedAt = clock.elapsed();
      announce(true);
      void outbox.flush();
      void readAll();
    },
    onLost(error) {
      connectedAt = undefined;
      presence.reset();
      announce(false);
      options.onLost(error);
    },
    onNotification: (sender) => void read([sender]),
  });
  try {
    startAfter(await findLastRows(query));
  } catch (error) {
    await session.close();
    throw error;
  }
  scheduleCheck();

  return {
    send: (topic, body, to = '') => outbox.add(to, `[${JSON.stringify(topic)},${body}]`),
    listen(topic, onMessage) {
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic);
      ofTopic.add(onMessage);
      return () => void ofTopic.delete(onMessage);
    },
    onGap: (listener) => addListener(gapListeners, listener),
    onDeath: (listener) => addListener(deathListeners, listener),
    get connectedAt() {
      return connectedAt;
    },
    async close() {
      isClosed = true;
      cancelCheck?.();
      if (connectedAt !== undefined) await outbox.flush();
      outbox.close();
      await session.close();
    },
  };
}

function addListener(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function callAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener();
}
