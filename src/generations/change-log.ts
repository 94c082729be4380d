import { type ChangePosition, keptChanges, type RecordedChange } from '../store/changes.ts';
import type { GenerationSummary } from '../store/records.ts';
import { forEachInPieces } from '../lib/fairness/large-work.ts';
import type { Store } from '../store/store.ts';
import { ChangeHistory, type Entry } from './change-history.ts';

export interface ChangeLogOptions {
  readonly store: Pick<Store, 'findLastChange' | 'listChanges' | 'findSummaries'>;
  readonly owner: string;
  /** A watcher that is behind by more changes is reset. */
  readonly maxBehind?: number | undefined;
  /** Runs a failed read again, later. Returns the function that cancels it. */
  readonly retry: (read: () => void) => () => void;
  /** Called when the last watcher has left. */
  readonly onEmpty: () => void;
}

export interface Watcher {
  readonly wake: () => void;
  /** What it has taken. Undefined until it is known whether the changes after its position are. */
  at: ChangePosition | undefined;
  /** Whether it must read everything again, and continue after `at`. */
  isReset: boolean;
  isBehind: boolean;
  /** Why it cannot watch. */
  error: unknown;
}

/** Changes in one read. */
const pageSize = 1000;
/** Generations in one read. */
const batchSize = 50;
/** Watchers that wake in one iteration of the event loop. */
const wakesPerPiece = 500;
/** Generations, and events of all keys, that are kept for slower watchers, which can read them again. */
const maxCached = 500;
const maxEvents = 5000;

/**
 * The recorded changes of one owner, from the oldest that a watcher has not taken. All watchers read the same entries, so each
 * change is read once for all of them. The numbers of changes have no gaps, so nothing arrives twice or is left out.
 */
export class ChangeLog {
  readonly #options: ChangeLogOptions;
  readonly #maxBehind: number;
  readonly #watchers = new Set<Watcher>();
  readonly #cached: Entry[] = [];
  #cachedEvents = 0;
  /** Undefined until it is read. */
  #history: ChangeHistory | undefined;
  #behind = 0;
  /** Reads run one after the other. */
  #reads: Promise<unknown> = Promise.resolve();
  #joining = 0;
  #isLookQueued = false;
  #cancelRetry = (): void => {};

  constructor(options: ChangeLogOptions) {
    this.#options = options;
    this.#maxBehind = options.maxBehind ?? keptChanges;
  }

  /** The last change that is known here. */
  get last(): ChangePosition | undefined {
    return this.#history?.last;
  }

  /** Adds a watcher that has taken everything up to this position. */
  add(position: ChangePosition, wake: () => void): Watcher {
    const watcher: Watcher = { wake, at: undefined, isReset: false, isBehind: true, error: undefined };
    this.#watchers.add(watcher);
    this.#behind += 1;
    this.#joining += 1;
    this.#run(async () => {
      try {
        if (this.#watchers.has(watcher)) await this.#join(watcher, position);
      } catch (error) {
        watcher.error = error;
      }
      this.#joining -= 1;
      wake();
    });
    return watcher;
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (watcher.isBehind) this.#behind -= 1;
    if (this.#watchers.size > 0) return this.#forgetTaken();
    this.#cancelRetry();
    this.#options.onEmpty();
  }

  /** Reads the changes after the last known one. */
  look(): void {
    if (this.#isLookQueued) return;
    this.#isLookQueued = true;
    this.#run(async () => {
      this.#isLookQueued = false;
      if (this.#watchers.size === 0 || !this.#history) return;
      try {
        await this.#readNews(this.#history);
      } catch {
        this.#cancelRetry();
        if (this.#watchers.size > 0) this.#cancelRetry = this.#options.retry(() => this.look());
      }
    });
  }

  /** The next change, `reset` once if the watcher must read everything again, or undefined if there is none yet. */
  takeNext(watcher: Watcher): Entry | 'reset' | undefined {
    if (watcher.error !== undefined) throw watcher.error;
    const history = this.#history;
    if (!watcher.at || !history) return undefined;
    if (watcher.at.number < history.start.number) reset(watcher, history.last);
    if (watcher.isReset) {
      watcher.isReset = false;
      return 'reset';
    }
    const entry = history.findNext(watcher.at);
    watcher.at = entry ?? history.last;
    if (!entry && watcher.isBehind) {
      watcher.isBehind = false;
      this.#behind -= 1;
      this.#forgetTaken();
    }
    return entry;
  }

  /** The generation of an entry, as it is now. Those of the next entries are read with it, and kept if they have ended. */
  recordOf(entry: Entry): Promise<GenerationSummary | undefined> {
    if (entry.record) return entry.record;
    const { store, owner } = this.#options;
    const next = this.#history?.findBatch(entry, batchSize).filter(({ record }) => !record) ?? [];
    const batch = [entry, ...next];
    const found = store.findSummaries(
      owner,
      batch.map(({ generationId }) => generationId),
    );
    const record = found.then(([generation]) => generation);
    entry.record = record;
    this.#cached.push(entry);
    found.then(
      (generations) => {
        for (const [index, later] of batch.entries()) {
          const generation = generations[index];
          const isRunning = generation && generation.finishedAt === undefined;
          if (later.record || isRunning) continue;
          later.record = Promise.resolve(generation);
          this.#cached.push(later);
        }
        this.#forgetOldest();
      },
      // Others read it again.
      () => this.#forget(entry),
    );
    return record;
  }

  /** Keeps what the watchers with this key receive for an entry, after `recordOf`. */
  keepEvent(entry: Entry, key: string, event: Promise<unknown>): void {
    entry.events ??= new Map();
    entry.events.set(key, event);
    this.#cachedEvents += 1;
    this.#forgetOldest();
  }

  /** The newest entry stays: all watchers are about to take it. */
  #forgetOldest(): void {
    const isOver = (): boolean => this.#cached.length > maxCached || this.#cachedEvents > maxEvents;
    while (isOver() && this.#cached.length > 1) {
      const oldest = this.#cached.shift();
      if (oldest) this.#forget(oldest);
    }
  }

  #forget(entry: Entry): void {
    this.#cachedEvents -= entry.events?.size ?? 0;
    entry.record = entry.events = undefined;
  }

  #run(read: () => Promise<void>): void {
    this.#reads = this.#reads.then(read);
  }

  async #join(watcher: Watcher, position: ChangePosition): Promise<void> {
    const { store, owner } = this.#options;
    const history = (this.#history ??= new ChangeHistory(await store.findLastChange(owner)));
    // Another instance may have seen more than this one.
    if (position.number > history.last.number) await this.#readNews(history);
    const isKnown = await this.#reach(history, position);
    watcher.at = position;
    if (!isKnown || !history.has(position)) reset(watcher, history.last);
  }

  /** Whether the history begins at the position or before it. Reads older changes if it does not. */
  async #reach(history: ChangeHistory, position: ChangePosition): Promise<boolean> {
    const { number } = position;
    if (number > history.last.number || history.last.number - number > this.#maxBehind) return false;
    const end = history.start.number;
    if (number >= end) return true;
    const older: RecordedChange[] = [];
    // There is no change 0.
    for (let from = Math.max(number, 1); from <= end; from += pageSize)
      older.push(...(await this.#readPage(from)));
    const found = number === 0 ? { number, mark: 0 } : older[0];
    if (found?.number !== number || found.mark !== position.mark) return false;
    const changes = older.filter((change) => change.number > number && change.number <= end);
    if (changes.some((change, index) => change.number !== number + 1 + index)) return false;
    if (changes.length !== end - number) return false;
    history.prepend(position, changes);
    return true;
  }

  async #readPage(from: number): Promise<RecordedChange[]> {
    const { store, owner } = this.#options;
    return [...(await store.listChanges(owner, { from, limit: pageSize }))];
  }

  async #readNews(history: ChangeHistory): Promise<void> {
    for (;;) {
      const { last } = history;
      const page = await this.#readPage(last.number);
      const isFull = page.length === pageSize;
      const isSame = page[0]?.number === last.number && page.shift()?.mark === last.mark;
      // The last known change may be too old to be kept. One that is missing among the others expired before older ones.
      const continues =
        page.length > 0 ? page.every(({ number }, index) => number === last.number + 1 + index) : isSame;
      if (!continues && !(await this.#isLast(last))) return this.#restart();
      if (!continues || page.length === 0) return;
      history.append(page);
      if (history.length > 1.2 * this.#maxBehind) history.keep(this.#maxBehind);
      await this.#wakeAll();
      if (!isFull) return;
    }
  }

  /** Whether nothing has changed after a change that is no longer kept. */
  async #isLast({ number, mark }: ChangePosition): Promise<boolean> {
    const { store, owner } = this.#options;
    const last = await store.findLastChange(owner);
    return last.number === number && last.mark === mark;
  }

  /** The records were replaced by others. */
  async #restart(): Promise<void> {
    const { store, owner } = this.#options;
    const history = new ChangeHistory(await store.findLastChange(owner));
    this.#history = history;
    for (const watcher of this.#watchers) if (watcher.at) reset(watcher, history.last);
    await this.#wakeAll();
  }

  /** An owner can have very many watchers: other work runs in between. */
  async #wakeAll(): Promise<void> {
    this.#behind = this.#watchers.size;
    for (const watcher of this.#watchers) watcher.isBehind = true;
    await forEachInPieces(this.#watchers, wakesPerPiece, ({ wake }) => wake());
  }

  #forgetTaken(): void {
    if (this.#behind === 0 && this.#joining === 0) this.#history?.keep(0);
  }
}

function reset(watcher: Watcher, { number, mark }: ChangePosition): void {
  watcher.at = { number, mark };
  watcher.isReset = true;
}
