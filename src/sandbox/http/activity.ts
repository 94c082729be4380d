import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../lib/cache-limits.ts';
import { wasCutHere } from './cut-connection.ts';

/** One request as it arrived, for logs and tests. */
export interface SandboxRequest {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. They hold the credential: not for logs. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The decoded JSON (integers beyond 2^53 as bigint), or the text if it is not JSON. A longer body is its first 64 KB as
   * text. Undefined if the body is absent or has not arrived.
   */
  readonly body: unknown;
  /** `aborted`: the client left before the reply was complete. */
  state: 'open' | 'answered' | 'aborted';
  status?: number;
}

/** The requests of a sandbox. */
export interface Activity {
  /** The most recent requests, oldest first. */
  requests(path?: string): readonly SandboxRequest[];
  /** How many requests have arrived since the start. */
  count(path?: string): number;
  /** How many requests are in flight, running streams included. */
  readonly open: number;
  /** Resolves when no request is in flight. */
  waitUntilIdle(): Promise<void>;
}

/** The writing side of the activity: one entry per request. */
export interface ActivityLog extends Activity {
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Records the request's body, and announces the request. */
  arrived(incoming: IncomingMessage, body: ArrivedBody): void;
  /** The sandbox is closing: connections that end from now on do not count as aborted by the client. */
  beginClosing(): void;
}

interface ArrivedBody {
  readonly text: string;
  readonly value: unknown;
}

const maxRequests = 20_000;
const maxBodyLength = 64 * 1024;
const maxHeldLength = 64 * 1024 * 1024;
/** An entry counts as at least this length, which limits their number to `maxRequests`. */
const minLength = Math.ceil(maxHeldLength / maxRequests);
const maxPaths = 10_000;

type Entry = SandboxRequest & { body: unknown };

export function createActivityLog(onRequest?: (request: SandboxRequest) => void): ActivityLog {
  const entries = new LRUCache<number, Entry>({ maxSize: maxHeldLength });
  const byMessage = new WeakMap<IncomingMessage, Entry>();
  const counts = new LRUCache<string, number>(limitEntries(maxPaths));
  let total = 0;
  let open = 0;
  let isClosing = false;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  const finish = (entry: Entry, outgoing: ServerResponse): void => {
    if (entry.state === 'open') {
      entry.state = outgoing.writableFinished || isClosing || wasCutHere(outgoing) ? 'answered' : 'aborted';
    }
    if (outgoing.headersSent) entry.status = outgoing.statusCode;
    open -= 1;
    if (open === 0) idle.resolve();
  };

  return {
    begin(incoming, outgoing) {
      total += 1;
      if (open === 0) idle = Promise.withResolvers<void>();
      open += 1;
      const entry = describe(total, incoming);
      entries.set(entry.id, entry, { size: lengthOf(entry) });
      byMessage.set(incoming, entry);
      counts.set(entry.path, (counts.get(entry.path) ?? 0) + 1);
      outgoing.once('close', () => finish(entry, outgoing));
    },
    arrived(incoming, { text, value }) {
      const entry = byMessage.get(incoming);
      if (!entry) return;
      entry.body = text.length > maxBodyLength ? copyStart(text) : value;
      entries.set(entry.id, entry, { size: lengthOf(entry, Math.min(text.length, maxBodyLength)) });
      onRequest?.(entry);
    },
    requests(path) {
      const all = [...entries.values()].toSorted((one, other) => one.id - other.id);
      return path === undefined ? all : all.filter((entry) => entry.path === path);
    },
    count: (path) => (path === undefined ? total : (counts.get(path) ?? 0)),
    get open() {
      return open;
    },
    waitUntilIdle: () => idle.promise,
    beginClosing() {
      isClosing = true;
    },
  };
}

function lengthOf({ path, query, headers }: SandboxRequest, bodyLength = 0): number {
  const texts = [path, ...Object.values(query), ...Object.values(headers)];
  return Math.max(
    minLength,
    texts.reduce((length, text) => length + text.length, bodyLength),
  );
}

/** A plain slice would keep the whole text in memory. */
function copyStart(text: string): string {
  return Buffer.from(text.slice(0, maxBodyLength), 'utf16le').toString('utf16le');
}

function describe(id: number, incoming: IncomingMessage): Entry {
  const [, path = '/', search = ''] = /^([^?]*)(.*)$/s.exec(incoming.url ?? '/') ?? [];
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    id,
    method: incoming.method ?? 'GET',
    path,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: Object.fromEntries(headers),
    body: undefined,
    state: 'open',
  };
}
