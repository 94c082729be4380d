/** Limits the bytes that the work of each key, such as an owner, and all work holds at the same time. */
export interface ByteHolds {
  open(key: string): ByteHold;
  /** Held by all. */
  readonly bytes: number;
}

/** The bytes that one piece of work holds. */
export interface ByteHold {
  /**
   * Resolves when the key has room for these bytes as well. The work that has held bytes for the longest time never waits,
   * so that it can end: it may exceed the limits. Little work never waits for that of other keys.
   */
  reserve(bytes: number): Promise<void>;
  /** Ends the work. Calls after the first have no effect. */
  release(): void;
}

export interface ByteHoldLimits {
  /** Of one key. */
  readonly maxBytes: number;
  /** Of all keys together. @default no limit */
  readonly maxTotalBytes?: number | undefined;
}

/** Work that holds no more than this waits for no other key. */
const littleBytes = 65_536;

interface Holders {
  readonly key: string;
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

/** What the work of all keys shares. */
interface AllHolds {
  readonly maxBytes: number;
  readonly maxTotalBytes: number;
  readonly byKey: Map<string, Holders>;
  bytes: number;
  /** In the order of their first bytes. */
  readonly holders: Set<Hold>;
  /** Keys with work that waits. The one whose work was admitted last comes last. */
  readonly waiting: Set<Holders>;
}

export function createByteHolds({ maxBytes, maxTotalBytes = Infinity }: ByteHoldLimits): ByteHolds {
  const all: AllHolds = {
    maxBytes,
    maxTotalBytes,
    byKey: new Map(),
    bytes: 0,
    holders: new Set(),
    waiting: new Set(),
  };
  return {
    open: (key) => new Hold(all, key),
    get bytes() {
      return all.bytes;
    },
  };
}

/** A class: each event has one. */
class Hold implements ByteHold {
  readonly #all: AllHolds;
  readonly #key: string;
  #bytes = 0;
  #isWaiting = false;
  #isReleased = false;

  constructor(all: AllHolds, key: string) {
    this.#all = all;
    this.#key = key;
  }

  async reserve(bytes: number): Promise<void> {
    if (this.#isReleased) return;
    const { byKey, waiting } = this.#all;
    const own = byKey.get(this.#key) ?? { key: this.#key, bytes: 0, holders: new Set(), waiting: [] };
    byKey.set(this.#key, own);
    if (this.#mayTake(own, bytes, own.waiting.length === 0)) return this.#take(own, bytes);
    this.#isWaiting = true;
    waiting.add(own);
    await new Promise<void>((admit) => void own.waiting.push({ hold: this, bytes, admit }));
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const { byKey, holders, waiting } = this.#all;
    const own = byKey.get(this.#key);
    // Most work reads nothing.
    if (!own || (this.#bytes === 0 && !this.#isWaiting)) return;
    own.holders.delete(this);
    holders.delete(this);
    own.bytes -= this.#bytes;
    this.#all.bytes -= this.#bytes;
    if (own.waiting.length === 0 && own.holders.size === 0) byKey.delete(this.#key);
    for (const waitingKey of waiting) this.#admitWaiting(waitingKey);
  }

  #mayTake(own: Holders, bytes: number, isNext: boolean): boolean {
    const { maxBytes, maxTotalBytes, holders, bytes: heldByAll } = this.#all;
    const [oldest = this] = holders;
    if (oldest === this) return true;
    const isLittle = this.#bytes + bytes <= littleBytes;
    if (!isLittle && heldByAll + bytes > maxTotalBytes) return false;
    const [oldestOfKey] = own.holders;
    if (!oldestOfKey) return isNext || isLittle;
    return oldestOfKey === this || (isNext && own.bytes + bytes <= maxBytes);
  }

  #take(own: Holders, bytes: number): void {
    this.#bytes += bytes;
    own.bytes += bytes;
    own.holders.add(this);
    this.#all.bytes += bytes;
    this.#all.holders.add(this);
  }

  /** In order, except that the oldest holder and released work do not wait. */
  #admitWaiting(own: Holders): void {
    const { byKey, waiting: waitingKeys } = this.#all;
    const remaining: Waiting[] = [];
    for (const waiting of own.waiting) {
      const { hold, bytes, admit } = waiting;
      if (!hold.#isReleased && !hold.#mayTake(own, bytes, remaining.length === 0)) {
        remaining.push(waiting);
        continue;
      }
      if (!hold.#isReleased) hold.#take(own, bytes);
      admit();
    }
    if (remaining.length === own.waiting.length) return;
    own.waiting = remaining;
    waitingKeys.delete(own);
    if (remaining.length > 0) waitingKeys.add(own);
    else if (own.holders.size === 0) byKey.delete(own.key);
  }
}
