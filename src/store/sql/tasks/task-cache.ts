import { LRUCache } from 'lru-cache';
import type { Task } from '../../records.ts';
import { fromTaskRow } from './task-rows.ts';

/**
 * Changes when another connection commits to the records. Writes of this instance do not change it. Undefined if that is
 * unknown.
 */
export type ReadVersion = () => number | undefined;

/** A parsed record and its size in bytes of JSON. */
export interface CachedTask {
  readonly task: Task;
  readonly size: number;
}

/** The tasks of one owner for one read. Open it before the query whose rows it caches. */
export interface CachedTasks {
  /** The task, if nobody has changed its record since it was cached. */
  find(id: string): CachedTask | undefined;
  /** Parses a row and caches it. A row with the same JSON as before is not parsed again. */
  add(row: { readonly id: string; readonly body: string; readonly size?: number }): CachedTask;
}

/** Parsed tasks: they are read far more often than they change. */
export interface TaskCache {
  open(owner: string): CachedTasks;
  /** Runs a write of this instance that may change or delete these tasks, or any task. */
  change<Result>(changed: ChangedTasks, write: () => Promise<Result>): Promise<Result>;
}

/** Without an id: all tasks of the owner. */
type ChangedTasks = readonly { readonly owner: string; readonly id?: string }[] | 'all';

interface Entry extends CachedTask {
  readonly body: string;
  /** The version in which it is current. Undefined if a write ran during its read. */
  version: number | undefined;
}

/** All records of one owner. Keys of two parts would be hashed anew for every lookup. */
interface OwnerEntries {
  readonly tasks: Map<string, Entry>;
  chars: number;
}

/** In characters of JSON. */
const maxChars = { all: 8_000_000, owner: 2_000_000 } as const;

export function createTaskCache(readVersion: ReadVersion = () => undefined): TaskCache {
  const owners = new LRUCache<string, OwnerEntries>({
    maxSize: maxChars.all,
    sizeCalculation: ({ chars }) => Math.max(1, chars),
  });
  let writing = 0;
  let writes = 0;
  const forget = (changed: ChangedTasks): void => {
    writes += 1;
    if (changed === 'all') owners.clear();
    else
      for (const { owner, id } of changed) {
        if (id === undefined) owners.delete(owner);
        else owners.peek(owner)?.tasks.delete(id);
      }
  };
  const put = (owner: string, id: string, entry: Entry): void => {
    const known = owners.get(owner);
    const isFull = known !== undefined && known.chars + entry.body.length > maxChars.owner;
    const entries = known && !isFull ? known : { tasks: new Map<string, Entry>(), chars: 0 };
    // A replaced entry stays counted, so the count is too large at most.
    entries.chars += entry.body.length;
    entries.tasks.set(id, entry);
    // Sets the size.
    owners.set(owner, { ...entries });
  };
  return {
    open(owner) {
      const writesBefore = writes;
      const version = writing === 0 ? readVersion() : undefined;
      const known = version === undefined ? undefined : owners.get(owner)?.tasks;
      return {
        find(id) {
          const entry = known?.get(id);
          return entry && entry.version === version ? entry : undefined;
        },
        add({ id, body, size = Buffer.byteLength(body) }) {
          const current = writes === writesBefore ? version : undefined;
          const entry = owners.get(owner)?.tasks.get(id);
          if (entry?.body === body) {
            entry.version = current ?? entry.version;
            return entry;
          }
          const added: Entry = { task: fromTaskRow({ owner, body }), size, body, version: current };
          put(owner, id, added);
          return added;
        },
      };
    },
    async change(changed, write) {
      forget(changed);
      writing += 1;
      try {
        return await write();
      } finally {
        writing -= 1;
        forget(changed);
      }
    },
  };
}
