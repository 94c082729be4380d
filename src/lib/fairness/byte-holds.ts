/** Limits the bytes that the work of each key, such as an owner, holds at the same time. */
export interface ByteHolds {
  open(key: string): ByteHold;
  /** Held by all. */
  readonly bytes: number;
}

/** The bytes that one piece of work holds. */
export interface ByteHold {
  /**
   * Resolves when the key has room for these bytes as well. The work that has held bytes for the longest time never waits,
   * so that it can end: it may exceed the limit.
   */
  reserve(bytes: number): Promise<void>;
  /** Ends the work. Calls after the first have no effect. */
  release(): void;
}

interface Holders {
  bytes: number;
  /** In the order of their first bytes. */
  readonly holders: Set<Hold>;
  waiting: Waiting[];
}

interface Waiting {
  readonly hold: Hold;
  readonly bytes: number;
  readonly admit: () => void;
}

export function createByteHolds(maxBytes: number): ByteHolds {
  const byKey = new Map<string, Holders>();
  return {
    open: (key) => new Hold(byKey, key, maxBytes),
    get bytes() {
      return [...byKey.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    },
  };
}

/** A class: each event has one. */
class Hold implements ByteHold {
  readonly #byKey: Map<string, Holders>;
  readonly #key: string;
  readonly #maxBytes: number;
  #bytes = 0;
  #isWaiting = false;
  #isReleased = false;

  constructor(byKey: Map<string, Holders>, key: string, maxBytes: number) {
    this.#byKey = byKey;
    this.#key = key;
    this.#maxBytes = maxBytes;
  }

  async reserve(bytes: number): Promise<void> {
    if (this.#isReleased) return;
    const all = this.#byKey.get(this.#key) ?? { bytes: 0, holders: new Set(), waiting: [] };
    this.#byKey.set(this.#key, all);
    if (this.#mayTake(all, bytes, all.waiting.length === 0)) return this.#take(all, bytes);
    this.#isWaiting = true;
    await new Promise<void>((admit) => void all.waiting.push({ hold: this, bytes, admit }));
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const all = this.#byKey.get(this.#key);
    // Most work reads nothing.
    if (!all || (this.#bytes === 0 && !this.#isWaiting)) return;
    all.holders.delete(this);
    all.bytes -= this.#bytes;
    this.#admitWaiting(all);
    if (all.holders.size + all.waiting.length === 0) this.#byKey.delete(this.#key);
  }

  #mayTake(all: Holders, bytes: number, isNext: boolean): boolean {
    const [oldest = this] = all.holders;
    return oldest === this || (isNext && all.bytes + bytes <= this.#maxBytes);
  }

  #take(all: Holders, bytes: number): void {
    this.#bytes += bytes;
    all.bytes += bytes;
    all.holders.add(this);
  }

  /** In order, except that the oldest holder and released work do not wait. */
  #admitWaiting(all: Holders): void {
    const remaining: Waiting[] = [];
    for (const waiting of all.waiting) {
      const { hold, bytes, admit } = waiting;
      if (!hold.#isReleased && !hold.#mayTake(all, bytes, remaining.length === 0)) {
        remaining.push(waiting);
        continue;
      }
      if (!hold.#isReleased) hold.#take(all, bytes);
      admit();
    }
    all.waiting = remaining;
  }
}
