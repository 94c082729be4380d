import { LazyMap } from '../../lib/lazy-map.ts';
import { LazySet } from '../../lib/lazy-set.ts';

/** Limits of one group. Each operation counts in its group and in all groups above it. */
export interface GroupLimits {
  /** Operations that run. */
  readonly running: number;
  /** Operations that wait for their turn. */
  readonly waiting: number;
  /** Open subscriptions and operations that have run for long. */
  readonly open: number;
  /** The settings that the limits come from. For the log. */
  readonly settings?: Readonly<Partial<Record<Count, string>>>;
}

/** One step on the path from the root to the group of an operation. */
export interface PathStep {
  readonly key: string;
  readonly limits: GroupLimits;
}

type Count = 'running' | 'waiting' | 'open';

/** A group of operations. Only groups without children have a queue. */
export interface Group<T> {
  readonly key: string;
  readonly parent: Group<T> | undefined;
  readonly limits: GroupLimits;
  readonly counts: Record<Count, number>;
  /** All groups below this one that have operations. */
  readonly children: LazyMap<string, Group<T>>;
  /** The children with waiting items that may run now, the next one first. */
  readonly ring: LazySet<Group<T>>;
  readonly queue: LazySet<T>;
}

/**
 * Queues in nested groups. `shift` takes turns between the groups of each level, so a group with one waiting item does not
 * wait behind a group with thousands.
 */
export interface FairGroups<T> {
  /** Whether any waiting item may run now. */
  readonly hasNext: boolean;
  /** Number of waiting items. */
  readonly waiting: number;
  /** Finds or creates a group. Call `prune` if nothing is added to it. */
  locate(path: readonly PathStep[]): Group<T>;
  hasRoom(group: Group<T>, count: Count): boolean;
  /** The innermost group without room. */
  findFull(group: Group<T>, count: Count): Group<T> | undefined;
  change(group: Group<T>, count: Count, difference: 1 | -1): void;
  push(group: Group<T>, item: T): void;
  /** Removes a waiting item. */
  remove(group: Group<T>, item: T): void;
  /** Removes and returns the next item that may run. Its group stays, also if it is empty. */
  shift(): T | undefined;
  /** Deletes empty groups. */
  prune(group: Group<T>): void;
}

const unlimited: GroupLimits = { running: Infinity, waiting: Infinity, open: Infinity };

export function createFairGroups<T>(): FairGroups<T> {
  const root = createGroup<T>({ key: '', limits: unlimited }, undefined);

  const findFull = (group: Group<T>, count: Count): Group<T> | undefined => {
    for (let at: Group<T> | undefined = group; at; at = at.parent)
      if (at.counts[count] >= at.limits[count]) return at;
    return undefined;
  };
  const hasRoom = (group: Group<T>, count: Count): boolean => findFull(group, count) === undefined;
  const add = (group: Group<T>, count: Count, difference: 1 | -1): void => {
    for (let at: Group<T> | undefined = group; at; at = at.parent) {
      at.counts[count] += difference;
      if (at.parent) updateRing(at, at.parent);
    }
  };
  const change = (group: Group<T>, count: Count, difference: 1 | -1): void => {
    add(group, count, difference);
    if (difference === -1) prune(group);
  };
  const prune = (group: Group<T>): void => {
    for (let at: Group<T> | undefined = group; at?.parent; at = at.parent) {
      const { running, waiting, open } = at.counts;
      if (running + waiting + open > 0) return;
      at.parent.children.delete(at.key);
      at.parent.ring.delete(at);
    }
  };
  const remove = (group: Group<T>, item: T): void => {
    if (group.queue.delete(item)) change(group, 'waiting', -1);
  };
  const findNext = (): Group<T> | undefined => {
    let group = root;
    for (;;) {
      const child = group.ring.first;
      if (!child) return group.queue.size > 0 ? group : undefined;
      // Its turn is over. It joins the end of the ring when its item is removed.
      group.ring.delete(child);
      group = child;
    }
  };

  return {
    get hasNext() {
      return root.ring.size > 0;
    },
    get waiting() {
      return root.counts.waiting;
    },
    locate(path) {
      let group = root;
      for (const step of path) {
        let child = group.children.get(step.key);
        if (!child) {
          child = createGroup(step, group);
          group.children.set(step.key, child);
        }
        group = child;
      }
      return group;
    },
    hasRoom,
    findFull,
    change,
    push(group, item) {
      group.queue.add(item);
      change(group, 'waiting', 1);
    },
    remove,
    shift() {
      const group = findNext();
      const item = group?.queue.first;
      if (!group || item === undefined) return undefined;
      group.queue.delete(item);
      // Without `prune`: the caller counts the item as running in the same group.
      add(group, 'waiting', -1);
      return item;
    },
    prune,
  };
}

/** Adds a group to the ring of its parent if one of its waiting items may run now, else removes it. */
function updateRing<T>(group: Group<T>, parent: Group<T>): void {
  const { ring, queue, counts, limits } = group;
  if (counts.running < limits.running && ring.size + queue.size > 0) parent.ring.add(group);
  else parent.ring.delete(group);
}

function createGroup<T>({ key, limits }: PathStep, parent: Group<T> | undefined): Group<T> {
  return {
    key,
    parent,
    limits,
    counts: { running: 0, waiting: 0, open: 0 },
    children: new LazyMap(),
    ring: new LazySet(),
    queue: new LazySet(),
  };
}
