import { type Cursor, pageSize, type ReceivedRow } from './messages-table.ts';

export interface InboxOptions {
  readonly instanceId: string;
  readonly findRowsAfter: (cursors: readonly Cursor[]) => Promise<readonly ReceivedRow[]>;
  readonly onRow: (row: ReceivedRow) => void;
  /** Rows to all instances are missing, or may be: an instance may be killed before it sends its last ones. */
  readonly onGap: () => void;
}

/** Reads the rows of all senders in order, each once. */
export interface Inbox {
  /** Rows up to here are not read. */
  startAfter(cursors: readonly Cursor[]): void;
  /** Reads what these senders sent since the last read. Coalesces with a read in flight. Resolves to false if it failed. */
  read(senders: Iterable<string>): Promise<boolean>;
  /** Reads from all known senders. */
  readAll(): Promise<boolean>;
  /** Reads from this sender, unless it was forgotten after its last message. */
  catchUp(sender: string): Promise<boolean>;
  /** Forgets the senders that are not in this list: they have ended. */
  keep(senders: ReadonlySet<string>): void;
}

export function createInbox({ instanceId, findRowsAfter, onRow, onGap }: InboxOptions): Inbox {
  /** By sender: the last number to all, and to this instance. */
  const seen = new Map<string, { toAll: number; toThis: number }>();
  let wanted = new Set<string>();
  let reading: Promise<boolean> | undefined;

  const placeOf = (sender: string) => {
    const place = seen.get(sender) ?? { toAll: 0, toThis: 0 };
    seen.set(sender, place);
    return place;
  };
  const receive = (row: ReceivedRow): void => {
    const place = placeOf(row.sender);
    const isToAll = row.recipient === '';
    const last = isToAll ? place.toAll : place.toThis;
    if (row.number <= last) return;
    if (isToAll) place.toAll = row.number;
    else place.toThis = row.number;
    if (isToAll && row.number > last + 1) onGap();
    onRow(row);
  };
  const readOnce = async (): Promise<void> => {
    const senders = wanted;
    wanted = new Set();
    const cursors = [...senders].flatMap((sender) => {
      const { toAll, toThis } = placeOf(sender);
      return [
        { sender, recipient: '', number: toAll },
        { sender, recipient: instanceId, number: toThis },
      ];
    });
    const rows = await findRowsAfter(cursors);
    for (const row of rows) receive(row);
    // A full page may not be the last.
    if (rows.length >= pageSize) for (const { sender } of rows) wanted.add(sender);
  };
  const readWanted = async (): Promise<boolean> => {
    try {
      while (wanted.size > 0) await readOnce();
      return true;
    } catch {
      // The session reports the failure. The next read repeats this one.
      return false;
    } finally {
      reading = undefined;
    }
  };
  const read = async (senders: Iterable<string>): Promise<boolean> => {
    for (const sender of senders) if (sender !== instanceId) wanted.add(sender);
    return wanted.size === 0 || (reading ??= readWanted());
  };

  return {
    startAfter(cursors) {
      for (const { sender, number } of cursors) placeOf(sender).toAll = number;
    },
    read,
    readAll: () => read(seen.keys()),
    catchUp: (sender) => read(seen.has(sender) ? [sender] : []),
    keep(senders) {
      const ended = [...seen.keys()].filter((sender) => !senders.has(sender));
      for (const sender of ended) seen.delete(sender);
      if (ended.length > 0) onGap();
    },
  };
}
