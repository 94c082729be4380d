import { LRUCache } from 'lru-cache';
import type { Task } from '../../records.ts';
import type { TaskRow } from '../basics/tables.ts';
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
  /** Runs a write that saves these tasks, and caches what it saved. Meanwhile, reads find the other tasks of the owner. */
  save<Result extends TaskWrites>(saved: readonly TaskKey[], write: () => Promise<Result>): Promise<Result>;
  /** The version of the records for what a transaction writes. Call it within the transaction, which keeps others from writing. */
  readVersion: ReadVersion;
}

interface TaskKey {
  readonly owner: string;
  readonly id: string;
}

/** Without an id: all tasks of the owner. */
type ChangedTasks = readonly (Pick<TaskKey, 'owner'> & Partial<TaskKey>)[] | 'all';

/** What a transaction did to records of tasks. */
export interface TaskWrites {
  readonly written: readonly WrittenTask[];
  /** Beside those that the caller named. */
  readonly deleted: readonly TaskKey[];
  /** Of the records, with these rows. */
  readonly version: number | undefined;
}

export interface WrittenTask {
  readonly task: Task;
  readonly row: TaskRow;
}

interface Entry extends CachedTask {
  readonly body: string;
  /** The version in which it is current. Undefined if a write ran during its read, and while it is saved. */
  version: number | undefined;
}

/** All records of one owner. Keys of two parts would be hashed anew for every lookup. */
interface OwnerEntries {
  readonly tasks: Map<string, Entry>;
  chars: number;
}

/** In characters of JSON. */
const maxChars = { all: 32_000_000, owner: 2_000_000 } as const;

export function createTaskCache(readVersion: ReadVersion = () => undefined): TaskCache {
  const owners = new LRUCache<string, OwnerEntries>({
    maxSize: maxChars.all,
    sizeCalculation: ({ chars }) => Math.max(1, chars),
  });
  const writes = createWriteCounts();
  const forget = (changed: ChangedTasks): void => {
    if (changed === 'all') owners.clear();
    else
      for (const { owner, id } of changed) {
        const entries = owners.peek(owner);
        if (id === undefined) owners.delete(owner);
        else if (entries) {
          entries.chars -= entries.tasks.get(id)?.body.length ?? 0;
          entries.tasks.delete(id);
        }
      }
  };
  /** Their rows decide, which usually still have the same JSON. */
  const markStale = (saved: readonly TaskKey[]): void => {
    for (const { owner, id } of saved) {
      const entry = owners.peek(owner)?.tasks.get(id);
      if (entry) entry.version = undefined;
    }
  };
  const put = (owner: string, id: string, entry: Entry): void => {
    const known = owners.get(owner);
    const added = entry.body.length - (known?.tasks.get(id)?.body.length ?? 0);
    const isFull = known !== undefined && known.chars + added > maxChars.owner;
    const entries = known && !isFull ? known : { tasks: new Map<string, Entry>(), chars: 0 };
    entries.chars += isFull ? entry.body.length : added;
    entries.tasks.set(id, entry);
    // Sets the size.
    owners.set(owner, { ...entries });
  };
  return {
    open(owner) {
      const seen = writes.count(owner);
      const version = readVersion();
      const known = version === undefined ? undefined : owners.get(owner)?.tasks;
      return {
        find(id) {
          const entry = known?.get(id);
          return entry && entry.version === version ? entry : undefined;
        },
        add({ id, body, size = Buffer.byteLength(body) }) {
          const current = seen !== undefined && seen === writes.count(owner) ? version : undefined;
          const entry = owners.get(owner)?.tasks.get(id);
          if (entry?.body === body) {
            entry.version = current ?? entry.version;
            return entry;
          }
          const added: Entry = { task: fromTaskRow({ owner, body }), size, body, version: current };
          // The row may be older than a save.
          if (current !== undefined || entry?.version === undefined) put(owner, id, added);
          return added;
        },
      };
    },
    async change(changed, write) {
      const end = writes.begin(changed);
      forget(changed);
      try {
        return await write();
      } finally {
        end();
        forget(changed);
      }
    },
    async save<Result extends TaskWrites>(saved: readonly TaskKey[], write: () => Promise<Result>) {
      const end = writes.begin(saved);
      markStale(saved);
      let result: Result;
      try {
        result = await write();
      } finally {
        end();
        markStale(saved);
      }
      forget(result.deleted);
      for (const {
        task,
        row: { owner, id, body },
      } of result.written) {
        // Another write may have replaced the row.
        if (writes.count(owner) === undefined) continue;
        put(owner, id, { task, body, size: Buffer.byteLength(body), version: result.version });
      }
      return result;
    },
    readVersion,
  };
}

/** A power of two, so that it masks. Owners with the same slot take each other's writes for theirs, which costs a read. */
const slots = 1024;

/** Counts the writes of each owner, in constant memory. */
function createWriteCounts() {
  const all = { running: 0, begun: 0 };
  const running = new Uint32Array(slots);
  const begun = new Uint32Array(slots);
  return {
    /** Call the result at the end of the write. */
    begin(changed: ChangedTasks): () => void {
      if (changed === 'all') {
        all.running += 1;
        all.begun += 1;
        return () => (all.running -= 1);
      }
      const changedSlots = new Set(changed.map(({ owner }) => slotOf(owner)));
      for (const slot of changedSlots) {
        running[slot] = (running[slot] ?? 0) + 1;
        begun[slot] = (begun[slot] ?? 0) + 1;
      }
      return () => {
        for (const slot of changedSlots) running[slot] = (running[slot] ?? 0) - 1;
      };
    },
    /** Changes with each write of the owner's tasks. Undefined while one runs. */
    count(owner: string): number | undefined {
      const slot = slotOf(owner);
      return all.running > 0 || running[slot] !== 0 ? undefined : all.begun + (begun[slot] ?? 0);
    },
  };
}

/** Owners are hashes, so their first characters are as good as any. */
function slotOf(owner: string): number {
  return (owner.charCodeAt(0) * 64 + owner.charCodeAt(1)) & (slots - 1);
}
