import { LazyMap } from '../lazy-map.ts';
import { LazySet } from '../lazy-set.ts';

/** Limits of one group. Each item counts in its group and in all groups above it. */
export interface GroupLimits {
  /** Items that run. */
  readonly running: number;
  /** Items that wait for their turn. */
  readonly waiting: number;
  /** Open subscriptions, and operations that have run for long. */
  readonly open: number;
  /** The settings that the limits come from. For the log. */
  readonly settings?: Readonly<Partial<Record<Count, string>>>;
}

export const noLimits: GroupLimits = { running: Infinity, waiting: Infinity, open: Infinity };

/** One step on the path from the root to the group of an item. */
export interface PathStep {
  readonly key: string;
  readonly limits: GroupLimits;
}

type Count = 'running' | 'waiting' | 'open';

/** Those who take turns as one, such as an owner. Only groups without children have a queue. */
export class Group<Item> {
  readonly key: string;
  readonly parent: Group<Item> | undefined;
  readonly limits: GroupLimits;
  readonly counts: Record<Count, number> = { running: 0, waiting: 0, open: 0 };
  /** All groups below this one that have items. */
  readonly children = new LazyMap<string, Group<Item>>();
  /** The children with waiting items that may run now, the next one first. */
  readonly ring = new LazySet<Group<Item>>();
  readonly queue = new LazySet<Item>();

  constructor({ key, limits }: PathStep, parent?: Group<Item>) {
    this.key = key;
    this.limits = limits;
    this.parent = parent;
  }
}

/**
 * Queues in nested groups. `shift` takes turns between the groups of each level, so a group with one waiting item does not
 * wait behind a group with thousands.
 */
export class FairQueue<Item> {
  readonly #root = new Group<Item>({ key: '', limits: noLimits });

  /** Whether any waiting item may run now. */
  get hasNext(): boolean {
    return this.#root.ring.size > 0;
  }

  /** Number of waiting items. */
  get waiting(): number {
    return this.#root.counts.waiting;
  }

  /** Finds or creates a group. Call `prune` if nothing is added to it. */
  locate(path: readonly PathStep[]): Group<Item> {
    let group = this.#root;
    for (const step of path) {
      let child = group.children.get(step.key);
      if (!child) {
        child = new Group(step, group);
        group.children.set(step.key, child);
      }
      group = child;
    }
    return group;
  }

  hasRoom(group: Group<Item>, count: Count): boolean {
    return this.findFull(group, count) === undefined;
  }

  /** The innermost group without room. */
  findFull(group: Group<Item>, count: Count): Group<Item> | undefined {
    for (let at: Group<Item> | undefined = group; at; at = at.parent)
      if (at.counts[count] >= at.limits[count]) return at;
    return undefined;
  }

  change(group: Group<Item>, count: Count, difference: 1 | -1): void {
    this.#add(group, count, difference);
    if (difference === -1) this.prune(group);
  }

  push(group: Group<Item>, item: Item): void {
    group.queue.add(item);
    this.change(group, 'waiting', 1);
  }

  remove(group: Group<Item>, item: Item): void {
    if (group.queue.delete(item)) this.change(group, 'waiting', -1);
  }

  /** Removes and returns the next item that may run. Its group stays, also if it is empty. */
  shift(): Item | undefined {
    const group = this.#findNext();
    const item = group.queue.first;
    if (item === undefined) return undefined;
    group.queue.delete(item);
    // Without `prune`: the caller counts the item as running in the same group.
    this.#add(group, 'waiting', -1);
    return item;
  }

  /** Deletes empty groups. */
  prune(group: Group<Item>): void {
    for (let at: Group<Item> | undefined = group; at?.parent; at = at.parent) {
      const { running, waiting, open } = at.counts;
      if (running + waiting + open > 0) return;
      at.parent.children.delete(at.key);
      at.parent.ring.delete(at);
    }
  }

  #add(group: Group<Item>, count: Count, difference: 1 | -1): void {
    for (let at: Group<Item> | undefined = group; at; at = at.parent) {
      at.counts[count] += difference;
      if (at.parent) updateRing(at, at.parent);
    }
  }

  #findNext(): Group<Item> {
    let group = this.#root;
    for (let child = group.ring.first; child; child = group.ring.first) {
      // Its turn is over. It joins the end of the ring when its item is removed.
      group.ring.delete(child);
      group = child;
    }
    return group;
  }
}

/** Adds a group to the ring of its parent if one of its waiting items may run now, else removes it. */
function updateRing<Item>(group: Group<Item>, parent: Group<Item>): void {
  const { ring, queue, counts, limits } = group;
  if (counts.running < limits.running && ring.size + queue.size > 0) parent.ring.add(group);
  else parent.ring.delete(group);
}
