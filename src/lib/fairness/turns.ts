import { FairQueue } from './fair-queue.ts';

export interface TurnsOptions<Item> {
  /** Returns whether work may start now. If not, it must call `startNext` when work may. */
  readonly createPace: (startNext: () => void) => () => boolean;
  /** Starts an item. Must lead to a call of `end` when the next one may start. */
  readonly start: (item: Item) => void;
}

/** Starts waiting items one after another, whenever there is time. */
export class Turns<Item> {
  readonly queue = new FairQueue<Item>();
  readonly #hasTime: () => boolean;
  readonly #start: (item: Item) => void;
  #isTaken = false;

  constructor({ createPace, start }: TurnsOptions<Item>) {
    this.#hasTime = createPace(() => this.startNext());
    this.#start = start;
  }

  /** Whether an item may start now without a turn. */
  mayStart(): boolean {
    return !this.queue.hasNext && this.#hasTime();
  }

  /** Takes the turn for an item that has not waited. Returns false if it must wait. */
  tryTake(): boolean {
    if (this.#isTaken || !this.mayStart()) return false;
    this.#isTaken = true;
    return true;
  }

  end(): void {
    this.#isTaken = false;
    this.startNext();
  }

  /** Call when an item may have become the next one. */
  startNext(): void {
    if (this.#isTaken || !this.queue.hasNext || !this.#hasTime()) return;
    const next = this.queue.shift();
    if (next === undefined) return;
    this.#isTaken = true;
    this.#start(next);
  }
}
