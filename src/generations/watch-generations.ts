import type { Bus } from '../bus/bus.ts';
import { FeedBehindError } from '../errors.ts';
import { type Feed, follow, type TakeResult } from '../lib/follow.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { generationTopic } from './publish-changes.ts';

/** One or more changes of a generation, with its record after the last of them. */
export interface GenerationChange {
  readonly id: string;
  /** Undefined if the record was deleted. */
  readonly generation: GenerationSummary | undefined;
}

export interface WatchOptions<Event> {
  readonly owner: string;
  /** Watches only this generation. @default all of the owner */
  readonly id?: string;
  /** What the watcher receives for a change. Undefined: nothing. */
  readonly toEvent: (change: GenerationChange) => Event | undefined;
  /** Watchers of one owner with the same key receive the same objects. @default objects of its own */
  readonly key?: string | undefined;
}

/** The changes of generations, for any number of watchers. */
export interface GenerationFeeds {
  /**
   * An owner's generations as they change, each read when it is delivered. Changes of one generation coalesce while the
   * reader is slow. Never completes on its own. Fails with FeedBehindError if the reader is too far behind.
   */
  watch<Event extends object>(options: WatchOptions<Event>): Feed<Event>;
  /** Watchers without a subscription of the bus of their own. */
  readonly sharing: number;
}

export interface GenerationFeedsOptions {
  readonly store: Pick<Store, 'findSummaries' | 'listGenerations'>;
  readonly bus: Bus;
  /** A watcher that is behind by more changes fails. */
  readonly maxBehind?: number;
}

/** Most generations that are sent again after messages of other servers were lost. */
const maxMissed = 100;

/** A change in the log of its owner. Each watcher holds only the last one that it has taken. */
interface Entry {
  readonly id: string;
  readonly sequence: number;
  /** Whether the generation has not changed since. */
  isLatest: boolean;
  next: Entry | undefined;
  /** Read by its first watcher. */
  record: Promise<GenerationSummary | undefined> | undefined;
  /** What its watchers receive, by their key. */
  events: Map<string, Promise<unknown>> | undefined;
}

interface Watcher {
  readonly id: string | undefined;
  readonly wake: () => void;
  at: Entry;
  hasAll: boolean;
}

export function createGenerationFeeds({
  store,
  bus,
  maxBehind = 20_000,
}: GenerationFeedsOptions): GenerationFeeds {
  const logs = new Map<string, ChangeLog>();
  let watchers = 0;

  const join = (owner: string): ChangeLog => {
    const log = logs.get(owner) ?? new ChangeLog({ store, owner, maxBehind });
    if (logs.has(owner)) return log;
    logs.set(owner, log);
    const unsubscribe = bus.subscribe(
      generationTopic(owner),
      (id) => log.append([id]),
      // While the records cannot be read, the next gap reads them.
      () => void log.appendMissed().catch(() => {}),
    );
    log.onEmpty = () => {
      unsubscribe();
      logs.delete(owner);
    };
    return log;
  };
  return {
    watch<Event extends object>({ owner, id, toEvent, key }: WatchOptions<Event>): Feed<Event> {
      let take = (): TakeResult<Event> => 'wait';
      return follow<Event>({
        open(wake) {
          const log = join(owner);
          const watcher = log.add(id, wake);
          watchers += 1;
          take = () => {
            const entry = log.takeNext(watcher);
            // Equal keys have equal functions.
            return entry
              ? { value: () => log.eventOf(entry, toEvent, key) as Promise<Event | undefined> }
              : 'wait';
          };
          return () => {
            watchers -= 1;
            log.remove(watcher);
          };
        },
        take: () => take(),
      });
    },
    get sharing() {
      return watchers - logs.size;
    },
  };
}

/** The latest changes of one owner's generations. All its watchers read the same list. */
class ChangeLog {
  readonly #store: GenerationFeedsOptions['store'];
  readonly #owner: string;
  readonly #maxBehind: number;
  readonly #watchers = new Set<Watcher>();
  /** While a watcher has not taken them. */
  readonly #latest = new Map<string, Entry>();
  #tail: Entry = createEntry('', 0);
  /** Watchers that have taken everything. */
  #upToDate = 0;
  onEmpty = (): void => {};

  constructor({
    store,
    owner,
    maxBehind,
  }: Omit<Required<GenerationFeedsOptions>, 'bus'> & { owner: string }) {
    this.#store = store;
    this.#owner = owner;
    this.#maxBehind = maxBehind;
  }

  add(id: string | undefined, wake: () => void): Watcher {
    const watcher: Watcher = { id, wake, at: this.#tail, hasAll: true };
    this.#watchers.add(watcher);
    this.#upToDate += 1;
    return watcher;
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (watcher.hasAll) this.#upToDate -= 1;
    this.#forgetTaken();
    if (this.#watchers.size === 0) this.onEmpty();
  }

  append(ids: readonly string[]): void {
    for (const id of ids) {
      const entry = createEntry(id, this.#tail.sequence + 1);
      const known = this.#latest.get(id);
      if (known) known.isLatest = false;
      this.#latest.set(id, entry);
      this.#tail.next = entry;
      this.#tail = entry;
    }
    this.#forgetOld();
    this.#upToDate = 0;
    for (const watcher of this.#watchers) watcher.hasAll = false;
    for (const { wake } of this.#watchers) wake();
  }

  /** After messages of other instances were lost: what may have changed counts as changed. */
  async appendMissed(): Promise<void> {
    const watched = [...this.#watchers].flatMap(({ id }) => id ?? []);
    const isAnyWatched = watched.length < this.#watchers.size;
    const page = { limit: maxMissed };
    const newest = isAnyWatched ? await this.#store.listGenerations(this.#owner, {}, page) : [];
    this.append([...new Set([...newest.map(({ id }) => id), ...watched])]);
  }

  /** @throws FeedBehindError */
  takeNext(watcher: Watcher): Entry | undefined {
    if (this.#tail.sequence - watcher.at.sequence > this.#maxBehind) throw new FeedBehindError();
    while (watcher.at.next) {
      watcher.at = watcher.at.next;
      const { id, isLatest } = watcher.at;
      if (isLatest && (watcher.id === undefined || watcher.id === id)) return watcher.at;
    }
    if (!watcher.hasAll) {
      watcher.hasAll = true;
      this.#upToDate += 1;
      this.#forgetTaken();
    }
    return undefined;
  }

  eventOf(
    entry: Entry,
    toEvent: (change: GenerationChange) => object | undefined,
    key: string | undefined,
  ): Promise<unknown> {
    const known = key === undefined ? undefined : entry.events?.get(key);
    if (known) return known;
    const { id } = entry;
    entry.record ??= this.#store.findSummaries(this.#owner, [id]).then(([generation]) => generation);
    const event = entry.record.then((generation) => toEvent({ id, generation }));
    if (key !== undefined) (entry.events ??= new Map()).set(key, event);
    return event;
  }

  #forgetTaken(): void {
    if (this.#upToDate === this.#watchers.size) this.#latest.clear();
  }

  /** Watchers that have not taken these entries fail. */
  #forgetOld(): void {
    if (this.#latest.size <= 2 * this.#maxBehind) return;
    for (const [id, { sequence }] of this.#latest)
      if (sequence < this.#tail.sequence - this.#maxBehind) this.#latest.delete(id);
  }
}

function createEntry(id: string, sequence: number): Entry {
  return { id, sequence, isLatest: true, next: undefined, record: undefined, events: undefined };
}
