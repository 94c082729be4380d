import type { Socket } from 'node:net';
import type { Log } from '../graphql/context.ts';
import type { Clock } from '../lib/clock.ts';
import { isRecord } from '../lib/json.ts';

export interface UnsentOptions {
  /** What may wait for all clients together. */
  readonly maxBytes: number;
  /** How long a client may take nothing while something waits for it. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A WebSocket or a reply over HTTP, as the way to a client. */
export interface Outlet {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly socket: Socket;
  /** Sent, and still held here. */
  readonly unsentBytes: number;
  /** Ends it at once, with all that waits. */
  destroy(): void;
}

export interface UnsentAccount {
  /** Whether more waits than a client that reads leaves waiting. */
  readonly isBehind: boolean;
  /** To be called when something has been sent, and when something has been taken. */
  update(): void;
  close(): void;
}

/** What waits for clients that do not read, of all transports. */
export interface Unsent {
  readonly bytes: number;
  open(outlet: Outlet): UnsentAccount;
}

/** Up to this, what waits is not worth counting. */
export const behindBytes = 65_536;

/** A longer text is sent as bytes: as text it would wait with room for three bytes a character besides itself. */
export const longTextLength = 16_384;

interface Entry {
  readonly outlet: Outlet;
  bytes: number;
  /** How much its client had taken when that was last looked at. */
  takenBytes: number;
  takenAt: number;
  isClosed: boolean;
}

/** Looks, while clients are behind, within the time that one may take nothing. */
const looks = 24;

/**
 * Bounds what clients that do not read make the process hold. Beyond `maxBytes` those are let go of that have taken
 * nothing for longest; of equals, those that hold most. They come back, and are healed by a snapshot. One that takes
 * something is kept however slow it is, as long as others can be let go of; and the last one always, so that what it asks
 * for can be answered at all.
 */
export function createUnsent({ maxBytes, patienceMs, clock, log }: UnsentOptions): Unsent {
  const behind = new Set<Entry>();
  let bytes = 0;
  let cancelTimer: (() => void) | undefined;

  const leave = (entry: Entry): void => {
    bytes -= entry.bytes;
    entry.bytes = 0;
    behind.delete(entry);
    if (behind.size > 0) return;
    cancelTimer?.();
    cancelTimer = undefined;
  };
  const close = (entry: Entry): void => {
    entry.isClosed = true;
    leave(entry);
  };
  const look = (entry: Entry): void => {
    // Of a reply that waits behind others on its connection, nobody hears when that has gone.
    if (entry.outlet.socket.destroyed) close(entry);
    const takenBytes = takenOf(entry.outlet.socket);
    if (takenBytes === entry.takenBytes) return;
    entry.takenBytes = takenBytes;
    entry.takenAt = clock.now();
  };
  const letGo = (entry: Entry, line: string): void => {
    const { outlet, takenAt } = entry;
    const facts = { unsentBytes: entry.bytes, unsentBytesOfAll: bytes, takenMsAgo: clock.now() - takenAt };
    log.warn({ ...outlet.facts, ...facts }, line);
    close(entry);
    outlet.destroy();
  };
  const fit = (): void => {
    for (const entry of behind) look(entry);
    const worstFirst = [...behind].sort((a, b) => a.takenAt - b.takenAt || b.bytes - a.bytes);
    for (const entry of worstFirst) {
      if (bytes <= maxBytes || behind.size === 1) return;
      letGo(entry, 'a client that does not keep up was let go of: too much waits for all of them');
    }
  };
  const lookAtAll = (): void => {
    cancelTimer = undefined;
    for (const entry of behind) {
      look(entry);
      if (!entry.isClosed && clock.now() - entry.takenAt >= patienceMs)
        letGo(entry, 'a client that takes nothing was let go of');
    }
    schedule();
  };
  // One timer for all, and none while nobody is behind.
  const schedule = (): void => {
    if (behind.size > 0) cancelTimer ??= clock.after(patienceMs / looks, lookAtAll);
  };

  return {
    get bytes() {
      return bytes;
    },
    open(outlet) {
      const entry: Entry = { outlet, bytes: 0, takenBytes: 0, takenAt: 0, isClosed: false };
      return {
        get isBehind() {
          return entry.bytes > 0;
        },
        update() {
          const { unsentBytes } = outlet;
          if (unsentBytes <= behindBytes) {
            if (entry.bytes > 0) leave(entry);
            return;
          }
          if (entry.isClosed) return;
          if (entry.bytes === 0) {
            behind.add(entry);
            entry.takenBytes = takenOf(outlet.socket);
            entry.takenAt = clock.now();
            schedule();
          }
          bytes += unsentBytes - entry.bytes;
          entry.bytes = unsentBytes;
          if (bytes > maxBytes) fit();
        },
        close: () => close(entry),
      };
    },
  };
}

/**
 * How much of what was sent the system has taken. Node's own counts change with a whole write, which may be a message of
 * many megabytes; how far one has come is known to the socket's handle alone, as Node's socket timeouts use it.
 */
function takenOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const { bytesWritten, writeQueueSize } = isRecord(handle) ? handle : {};
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number')
    return bytesWritten - writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}
