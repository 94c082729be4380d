import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../lib/cache-limits.ts';
import { parseJson } from '../../lib/json.ts';
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
   * The decoded JSON (integers beyond 2^53 as bigint), or the text if it is not JSON. A body from 64 KB is its start as
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
  /** Records the text of the request's body, and announces the request. */
  arrived(incoming: IncomingMessage, text: string): void;
  /** The sandbox is closing: connections that end from now on do not count as aborted by the client. */
  beginClosing(): void;
}

const maxRequests = 20_000;
const maxBodyLength = 64 * 1024;
const maxHeldLength = 64 * 1024 * 1024;
/** An entry counts as at least this length, which limits their number to `maxRequests`. */
const minLength = Math.ceil(maxHeldLength / maxRequests);
const maxPaths = 10_000;

interface Entry {
  readonly request: SandboxRequest;
  /** Parsed when somebody reads it: values take many times the memory of their text. */
  text: string;
}

export function createActivityLog(onRequest?: (request: SandboxRequest) => void): ActivityLog {
  const entries = new LRUCache<number, Entry>({ maxSize: maxHeldLength });
  const byMessage = new WeakMap<IncomingMessage, Entry>();
  const counts = new LRUCache<string, number>(limitEntries(maxPaths));
  let total = 0;
  let open = 0;
  let isClosing = false;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  const finish = ({ request }: Entry, outgoing: ServerResponse): void => {
    if (request.state === 'open') {
      request.state = outgoing.writableFinished || isClosing || wasCutHere(outgoing) ? 'answered' : 'aborted';
    }
    if (outgoing.headersSent) request.status = outgoing.statusCode;
    open -= 1;
    if (open === 0) idle.resolve();
  };

  return {
    begin(incoming, outgoing) {
      total += 1;
      if (open === 0) idle = Promise.withResolvers<void>();
      open += 1;
      const entry = createEntry(total, incoming);
      const { id, path } = entry.request;
      entries.set(id, entry, { size: lengthOf(entry) });
      byMessage.set(incoming, entry);
      counts.set(path, (counts.get(path) ?? 0) + 1);
      outgoing.once('close', () => finish(entry, outgoing));
    },
    arrived(incoming, text) {
      const entry = byMessage.get(incoming);
      if (!entry) return;
      entry.text = text.length > maxBodyLength ? copyStart(text) : text;
      const { id } = entry.request;
      // The cache keeps the size of a value that is set again.
      entries.delete(id);
      entries.set(id, entry, { size: lengthOf(entry) });
      onRequest?.(entry.request);
    },
    requests(path) {
      const all = Array.from(entries.values(), ({ request }) => request).toSorted(
        (one, other) => one.id - other.id,
      );
      return path === undefined ? all : all.filter((request) => request.path === path);
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

function lengthOf({ request: { path, query, headers }, text }: Entry): number {
  const texts = [path, ...Object.values(query), ...Object.values(headers), text];
  return Math.max(
    minLength,
    texts.reduce((length, { length: more }) => length + more, 0),
  );
}

/** A plain slice would keep the whole text in memory. */
function copyStart(text: string): string {
  return Buffer.from(text.slice(0, maxBodyLength), 'utf16le').toString('utf16le');
}

function createEntry(id: number, incoming: IncomingMessage): Entry {
  const [, path = '/', search = ''] = /^([^?]*)(.*)$/s.exec(incoming.url ?? '/') ?? [];
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  const entry: Entry = {
    text: '',
    request: {
      id,
      method: incoming.method ?? 'GET',
      path,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers: Object.fromEntries(headers),
      get body() {
        return readBody(entry.text);
      },
      state: 'open',
    },
  };
  return entry;
}

function readBody(text: string): unknown {
  if (text === '') return undefined;
  // The start of a longer body is no document.
  if (text.length >= maxBodyLength) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
