import type { IncomingMessage, ServerResponse } from 'node:http';
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
   * The decoded JSON, an integer beyond 2^53 as a bigint. The text itself where it is not JSON, its first
   * 64 KB where it is longer, undefined where there was none or it has not arrived yet.
   */
  readonly body: unknown;
  /** `aborted`: the client left before the reply was complete. */
  state: 'open' | 'answered' | 'aborted';
  status?: number;
}

/** What the sandbox has been asked and is answering. */
export interface Activity {
  /** The most recent requests, oldest first. */
  requests(path?: string): readonly SandboxRequest[];
  /** How many requests have arrived since the start. */
  count(path?: string): number;
  /** Requests being answered right now, running streams included. */
  readonly open: number;
  /** Resolves when no request is being answered. */
  whenIdle(): Promise<void>;
}

/** The writing side of the activity: one entry per request. */
export interface ActivityLog extends Activity {
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Notes the request's body, and announces the request. */
  arrived(incoming: IncomingMessage, body: ArrivedBody): void;
  /** From now on a connection that ends was ended by the sandbox. */
  beginClosing(): void;
}

export interface ArrivedBody {
  readonly text: string;
  readonly value: unknown;
}

const maxRequests = 20_000;
const maxBodyLength = 64 * 1024;
const maxHeldLength = 64 * 1024 * 1024;
const maxPaths = 10_000;

interface Entry {
  readonly request: SandboxRequest & { body: unknown };
  heldLength: number;
}

export function createActivityLog(onRequest?: (request: SandboxRequest) => void): ActivityLog {
  const entries = new Map<number, Entry>();
  const byMessage = new WeakMap<IncomingMessage, Entry>();
  const counts = new Map<string, number>();
  let total = 0;
  let heldLength = 0;
  let open = 0;
  let isClosing = false;
  let idleWaiters: (() => void)[] = [];

  const dropOldest = (): void => {
    for (const [id, entry] of entries) {
      if (entries.size <= maxRequests && heldLength <= maxHeldLength) return;
      entries.delete(id);
      heldLength -= entry.heldLength;
      entry.heldLength = 0;
    }
  };

  const finish = (entry: Entry, outgoing: ServerResponse): void => {
    const { request } = entry;
    if (request.state === 'open') {
      request.state = outgoing.writableFinished || isClosing || wasCutHere(outgoing) ? 'answered' : 'aborted';
    }
    if (outgoing.headersSent) request.status = outgoing.statusCode;
    open -= 1;
    if (open > 0) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  };

  return {
    begin(incoming, outgoing) {
      total += 1;
      const entry: Entry = { request: describe(total, incoming), heldLength: 0 };
      const { path } = entry.request;
      entries.set(total, entry);
      byMessage.set(incoming, entry);
      // Paths are chosen by clients: the table of counts must not grow without end.
      if (counts.has(path) || counts.size < maxPaths) counts.set(path, (counts.get(path) ?? 0) + 1);
      dropOldest();
      open += 1;
      outgoing.once('close', () => finish(entry, outgoing));
    },
    arrived(incoming, { text, value }) {
      const entry = byMessage.get(incoming);
      if (!entry) return;
      entry.request.body = text.length > maxBodyLength ? copyStart(text) : value;
      if (entries.has(entry.request.id)) {
        entry.heldLength = Math.min(text.length, maxBodyLength);
        heldLength += entry.heldLength;
        dropOldest();
      }
      onRequest?.(entry.request);
    },
    requests(path) {
      const all = Array.from(entries.values(), ({ request }) => request);
      return path === undefined ? all : all.filter((request) => request.path === path);
    },
    count: (path) => (path === undefined ? total : (counts.get(path) ?? 0)),
    get open() {
      return open;
    },
    whenIdle: () =>
      open === 0 ? Promise.resolve() : new Promise((resolve) => void idleWaiters.push(resolve)),
    beginClosing() {
      isClosing = true;
    },
  };
}

/** A plain slice would keep the whole text in memory. */
function copyStart(text: string): string {
  return Buffer.from(text.slice(0, maxBodyLength), 'utf16le').toString('utf16le');
}

function describe(id: number, incoming: IncomingMessage): Entry['request'] {
  const [path = '/', search = ''] = splitOnce(incoming.url ?? '/', '?');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    id,
    method: incoming.method ?? 'GET',
    path,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers,
    body: undefined,
    state: 'open',
  };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
