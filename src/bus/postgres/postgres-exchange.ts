import type { Clock } from '../../lib/clock.ts';
import { asArray, asString, parseJson } from '../../lib/json.ts';
import type { Exchange } from '../exchange.ts';
import { createInbox } from './inbox.ts';
import {
  findInstanceIds,
  findLastRows,
  findRowsAfter,
  insertRows,
  prepareSession,
  type ReceivedRow,
  trimRows,
} from './messages-table.ts';
import { createOutbox } from './outbox.ts';
import { openSession, type Session } from './session.ts';

export interface PostgresExchangeOptions {
  /** Not of a pooler in transaction mode: the connection listens. */
  readonly url: string;
  readonly instanceId: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Longest time of a statement. */
  readonly timeoutMs: number;
  /** Called when the session is lost, before its lock is released: from then on, only the lease proves that this instance is alive. */
  readonly renewLease: () => Promise<void>;
  readonly onLost: (error: unknown) => void;
}

/** Reads even without a notification this often. */
const checkMs = 1000;
const trimMs = 10_000;
/** Rows are deleted a minute after they were sent: those of a longer time are not all there. */
const wholeMs = 50_000;

/**
 * Exchange over one connection. Messages are rows of an unlogged table, a notification only says who sent some.
 * @throws if the first connection fails
 */
export async function createPostgresExchange(options: PostgresExchangeOptions): Promise<Exchange> {
  const { url, instanceId, clock, random, timeoutMs } = options;
  const listeners: Listeners = new Map();
  const gapListeners = new Set<() => void>();
  const reconnectListeners = new Set<() => void>();
  let connectedAt: number | undefined;
  let trimmedAt = clock.elapsed();
  /** When the last read of all senders began, by the system's clock: a pause of the process counts. */
  let readAt = clock.now();
  let cancelCheck: (() => void) | undefined;
  let isClosed = false;
  let session: Session | undefined;

  const query = <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
    session ? session.query<Row>(text, values) : Promise.reject(new Error('there is no connection'));
  const outbox = createOutbox({ clock, write: (rows) => insertRows(query, instanceId, rows) });
  const { read, readAll, catchUp, startAfter, keep } = createInbox({
    instanceId,
    findRowsAfter: (cursors) => findRowsAfter(query, cursors),
    onGap: () => callAll(gapListeners),
    onRow: (row) => deliver(row, listeners),
  });

  const check = async (): Promise<void> => {
    if (connectedAt === undefined) return;
    const startedAt = clock.now();
    const ids = new Set(await findInstanceIds(query));
    await read(ids);
    // An instance may have sent its last messages before it stopped.
    if (await readAll()) {
      keep(ids);
      if (startedAt - readAt >= wholeMs) callAll(gapListeners);
      readAt = startedAt;
    }
    if (clock.elapsed() - trimmedAt < trimMs) return;
    trimmedAt = clock.elapsed();
    await trimRows(query, instanceId);
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
      readAt = clock.now();
      void outbox.flush();
      void readAll();
      // Rows may have expired meanwhile, or were lost in a crash. Only a later row of their sender would show that.
      callAll(gapListeners);
      callAll(reconnectListeners);
    },
    onLost(error) {
      connectedAt = undefined;
      options.onLost(error);
    },
    beforeClose: options.renewLease,
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
      return addListener(ofTopic, onMessage);
    },
    onGap: (listener) => addListener(gapListeners, listener),
    onReconnected: (listener) => addListener(reconnectListeners, listener),
    catchUp,
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

/** By topic. */
type Listeners = Map<string, Set<(body: unknown, sender: string) => void>>;

/** Passes the messages of a row on. */
function deliver({ body, sender }: ReceivedRow, listeners: Listeners): void {
  for (const sent of asArray(parseJson(body))) {
    const [topic, message] = asArray(sent);
    for (const onMessage of listeners.get(asString(topic) ?? '') ?? []) onMessage(message, sender);
  }
}

function addListener<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function callAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener();
}
