import { LRUCache } from 'lru-cache';
import { maxEntries } from '../../lib/max-entries.ts';

/** The group that each owner takes turns with, as of its last operation. Outside of admission, owners are only hashes. */
export interface OwnerGroups {
  set(owner: string, group: string): void;
  /** An owner without a known group is a group of its own. */
  groupOf(owner: string): string;
}

const maxOwners = 20_000;

export function createOwnerGroups(): OwnerGroups {
  const groups = new LRUCache<string, string>(maxEntries(maxOwners));
  return {
    set: (owner, group) => void groups.set(owner, group),
    groupOf: (owner) => groups.get(owner) ?? `owner ${owner}`,
  };
}
