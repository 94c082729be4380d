/** Limits the bytes that the work of each party holds at the same time. */
export interface ByteHolds {
  open(party: string): ByteHold;
  /** Held by all parties. */
  readonly bytes: number;
}

/** The bytes that one piece of work holds. */
export interface ByteHold {
  /**
   * Resolves when the party has room for these bytes as well. The work that has held bytes for the longest time never waits,
   * so that it can end: it may exceed the limit.
   */
  reserve(bytes: number): Promise<void>;
  /** Ends the work. Calls after the first have no effect. */
  release(): void;
}

interface Party {
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

export function createByteHolds(maxPartyBytes: number): ByteHolds {
  const parties = new Map<string, Party>();
  return {
    open: (party) => new Hold(parties, party, maxPartyBytes),
    get bytes() {
      return [...parties.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    },
  };
}

/** A class: each event has one. */
class Hold implements ByteHold {
  readonly #parties: Map<string, Party>;
  readonly #key: string;
  readonly #maxBytes: number;
  #bytes = 0;
  #isWaiting = false;
  #isReleased = false;

  constructor(parties: Map<string, Party>, key: string, maxBytes: number) {
    this.#parties = parties;
    this.#key = key;
    this.#maxBytes = maxBytes;
  }

  async reserve(bytes: number): Promise<void> {
    if (this.#isReleased) return;
    const party = this.#parties.get(this.#key) ?? { bytes: 0, holders: new Set(), waiting: [] };
    this.#parties.set(this.#key, party);
    if (this.#mayTake(party, bytes, party.waiting.length === 0)) return this.#take(party, bytes);
    this.#isWaiting = true;
    await new Promise<void>((admit) => void party.waiting.push({ hold: this, bytes, admit }));
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const party = this.#parties.get(this.#key);
    // Most work reads nothing.
    if (!party || (this.#bytes === 0 && !this.#isWaiting)) return;
    party.holders.delete(this);
    party.bytes -= this.#bytes;
    this.#admitWaiting(party);
    if (party.holders.size + party.waiting.length === 0) this.#parties.delete(this.#key);
  }

  #mayTake(party: Party, bytes: number, isNext: boolean): boolean {
    const [oldest = this] = party.holders;
    return oldest === this || (isNext && party.bytes + bytes <= this.#maxBytes);
  }

  #take(party: Party, bytes: number): void {
    this.#bytes += bytes;
    party.bytes += bytes;
    party.holders.add(this);
  }

  /** In order, except that the oldest holder and released work do not wait. */
  #admitWaiting(party: Party): void {
    const remaining: Waiting[] = [];
    for (const waiting of party.waiting) {
      const { hold, bytes, admit } = waiting;
      if (!hold.#isReleased && !hold.#mayTake(party, bytes, remaining.length === 0)) {
        remaining.push(waiting);
        continue;
      }
      if (!hold.#isReleased) hold.#take(party, bytes);
      admit();
    }
    party.waiting = remaining;
  }
}
