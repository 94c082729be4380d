import type { ChangePosition, RecordedChange } from '../store/changes.ts';
import type { GenerationSummary } from '../store/records.ts';

/** A change, with what its readers share of it. */
export interface Entry extends RecordedChange {
  /** Whether the generation has not changed since. */
  isLatest: boolean;
  /** The generation when the first reader read it. Undefined if it was deleted. */
  record: Promise<GenerationSummary | undefined> | undefined;
  /** What the readers receive, by their key. */
  events: Map<string, Promise<unknown>> | undefined;
}

/** A section of the changes of one owner, without gaps. */
export class ChangeHistory {
  /** From the one after `start` to `last`. */
  #entries: Entry[] = [];
  readonly #latest = new Map<string, Entry>();
  #start: ChangePosition;
  #last: ChangePosition;

  constructor(position: ChangePosition) {
    this.#start = position;
    this.#last = position;
  }

  /** The position before the first change. */
  get start(): ChangePosition {
    return this.#start;
  }

  get last(): ChangePosition {
    return this.#last;
  }

  /** Adds the changes after `last`. */
  append(changes: readonly RecordedChange[]): void {
    for (const change of changes) {
      const known = this.#latest.get(change.generationId);
      if (known) known.isLatest = false;
      const entry = createEntry(change);
      this.#latest.set(change.generationId, entry);
      this.#entries.push(entry);
      this.#last = entry;
    }
  }

  /** Adds the changes between a position and `start`. */
  prepend(position: ChangePosition, changes: readonly RecordedChange[]): void {
    const older = changes.map(createEntry);
    for (const entry of older.toReversed()) {
      entry.isLatest = !this.#latest.has(entry.generationId);
      if (entry.isLatest) this.#latest.set(entry.generationId, entry);
    }
    this.#entries = [...older, ...this.#entries];
    this.#start = position;
  }

  /** Whether this history has the position: records that were restored have another one with the same number. */
  has({ number, mark }: ChangePosition): boolean {
    const known =
      number === this.#start.number ? this.#start : this.#entries[number - this.#start.number - 1];
    return known?.mark === mark;
  }

  /** The next change after a position whose generation has not changed since. */
  findNext({ number }: ChangePosition): Entry | undefined {
    for (let index = number - this.#start.number; index < this.#entries.length; index += 1) {
      const entry = this.#entries[index];
      if (entry?.isLatest) return entry;
    }
    return undefined;
  }

  /** The next changes like `findNext`, among this many. */
  findBatch({ number }: ChangePosition, size: number): readonly Entry[] {
    const index = Math.max(0, number - this.#start.number);
    return this.#entries.slice(index, index + size).filter(({ isLatest }) => isLatest);
  }

  /** Keeps the last changes only. */
  keep(count: number): void {
    const removed = this.#entries.splice(0, Math.max(0, this.#entries.length - count));
    for (const entry of removed)
      if (this.#latest.get(entry.generationId) === entry) this.#latest.delete(entry.generationId);
    this.#start = removed.at(-1) ?? this.#start;
  }

  get length(): number {
    return this.#entries.length;
  }
}

function createEntry(change: RecordedChange): Entry {
  return { ...change, isLatest: true, record: undefined, events: undefined };
}
