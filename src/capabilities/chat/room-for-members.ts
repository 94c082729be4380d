import { isList, isRecord } from '../../lib/json.ts';
import { sizeOfValue } from '../../lib/json-size.ts';

/** What each name counts in addition to its value: a document of many names takes long to write. */
const nameChars = 1000;

/** Limits the size of what a reply keeps. A class: every stream holds one, and closures take more memory. */
export class RoomForMembers {
  #chars: number;

  constructor(maxChars: number) {
    this.#chars = maxChars;
  }

  /** Whether there is room for a value. It then counts. */
  take(value: unknown): boolean {
    return this.#take(sizeOfValue(value, this.#chars));
  }

  /** Keeps a value, if there is room: in place of the one before, or with it if both are lists or objects and `isMerged`. */
  keep(kept: Map<string, unknown>, name: string, value: unknown, isMerged: boolean): void {
    const before = kept.get(name);
    // The usual case: id and model are the same in every chunk.
    if (before === value) return;
    if (before === undefined && !this.#take(nameChars)) return;
    const areMerged = isMerged && typeof before === 'object' && typeof value === 'object';
    const freed = before === undefined || areMerged ? 0 : sizeOfValue(before, Infinity);
    if (this.#take(sizeOfValue(value, this.#chars + freed) - freed))
      kept.set(name, areMerged ? merge(before, value) : toOwned(value));
  }

  #take(size: number): boolean {
    if (size > this.#chars) return false;
    this.#chars -= size;
    return true;
  }
}

/** A value whose lists `merge` may change. Other readers of the chunk hold the value itself. */
function toOwned(value: unknown): unknown {
  if (isList(value)) return [...value];
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toOwned(member)]));
}

/** Appends lists, merges objects, and prefers the later of other values. Changes lists of `before`. */
function merge(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && isList(value)) {
    for (const item of value) before.push(item);
    return before;
  }
  if (!isRecord(before) || !isRecord(value)) return value === null ? before : toOwned(value);
  const members = new Map(Object.entries(before));
  for (const [name, member] of Object.entries(value)) members.set(name, merge(members.get(name), member));
  return Object.fromEntries(members);
}
