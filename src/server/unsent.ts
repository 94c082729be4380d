import type { Socket } from 'node:net';
import type { Log } from '../lib/log.ts';
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
  /** How many messages that is. */
  readonly unsentMessages: number;
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

/** What the systems on the way hold at most, roughly: taken from here, and perhaps not come to the client yet. */
const transitBytes = 4_194_304;
/** How many times its patience a client has for that. */
const transitPatience = 3;

/** How much longer than `patienceMs` a client may seem to take nothing, after the system has taken this for it. */
export function transitMs(takenBytes: number, patienceMs: number): number {
  return (Math.min(takenBytes, transitBytes) / transitBytes) * transitPatience * patienceMs;
}

/** One for which something waits for so long is not merely new. */
const newMs = 1000;
/** By then the system has taken what it can, though the client may have read nothing. */
const settledMs = 300;

interface Entry {
  readonly outlet: Outlet;
  bytes: number;
  /** How much the system had taken for its client when that was last looked at. */
  takenBytes: number;
  takenAt: number;
  behindSince: number;
  /** Until when what was taken may still be on its way. */
  inTransitUntil: number;
  isClosed: boolean;
}

/** Looks, while clients are behind, within the time that one may take nothing; and how far apart they are at most. */
const looks = 24;
const maxLookMs = 250;

/**
 * Bounds what clients that do not read make the process hold. Beyond `maxBytes` those are let go of that have taken
 * nothing since something waits for them, but for those who have only just come; then those that have taken nothing for
 * longest; of equals, those that hold most. They come back, and are healed by a snapshot. The last one is kept if it is one
 * message that waits for it, so that what it asks for can be answered at all.
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
    const newBytes = takenBytes - entry.takenBytes;
    if (newBytes <= 0) return;
    const now = clock.now();
    entry.takenBytes = takenBytes;
    entry.takenAt = now;
    const transitUntil = Math.max(entry.inTransitUntil, now) + transitMs(newBytes, patienceMs);
    entry.inTransitUntil = Math.min(transitUntil, now + transitMs(transitBytes, patienceMs));
  };
  /** Has read nothing at all of what waits for it, as far as can be seen. */
  const isStuck = ({ takenAt, behindSince }: Entry): boolean =>
    takenAt - behindSince < settledMs && clock.now() - behindSince >= newMs;
  const letGo = (entry: Entry, line: string): void => {
    const { outlet, takenAt } = entry;
    const facts = { unsentBytes: entry.bytes, unsentBytesOfAll: bytes, takenMsAgo: clock.now() - takenAt };
    log.warn({ ...outlet.facts, ...facts }, line);
    close(entry);
    outlet.destroy();
  };
  const fit = (): void => {
    for (const entry of behind) look(entry);
    const worstFirst = [...behind].sort(
      (a, b) => Number(isStuck(b)) - Number(isStuck(a)) || a.takenAt - b.takenAt || b.bytes - a.bytes,
    );
    for (const entry of worstFirst) {
      if (bytes <= maxBytes || (behind.size === 1 && entry.outlet.unsentMessages <= 1)) return;
      letGo(entry, 'a client that does not keep up was let go of: too much waits for all of them');
    }
  };
  const lookAtAll = (): void => {
    cancelTimer = undefined;
    for (const entry of behind) {
      look(entry);
      const since = Math.max(entry.takenAt, entry.inTransitUntil);
      if (!entry.isClosed && clock.now() - since >= patienceMs)
        letGo(entry, 'a client that takes nothing was let go of');
    }
    schedule();
  };
  // One timer for all, and none while nobody is behind.
  const schedule = (): void => {
    if (behind.size > 0) cancelTimer ??= clock.after(Math.min(patienceMs / looks, maxLookMs), lookAtAll);
  };

  return {
    get bytes() {
      return bytes;
    },
    open(outlet) {
      const entry: Entry = {
        outlet,
        bytes: 0,
        takenBytes: takenOf(outlet.socket),
        takenAt: 0,
        behindSince: 0,
        inTransitUntil: 0,
        isClosed: false,
      };
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
            entry.takenAt = clock.now();
            look(entry);
            entry.behindSince = clock.now();
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
export function takenOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const { bytesWritten, writeQueueSize } = isRecord(handle) ? handle : {};
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number')
    return bytesWritten - writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}
