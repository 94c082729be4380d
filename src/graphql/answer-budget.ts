import { RequestError } from '../errors.ts';
import type { ByteHold } from '../lib/fairness/byte-holds.ts';

/** Objects of one answer, inside lists included. */
export const maxAnswerObjects = 100_000;

/** Errors for values without room. One further error has the number of the others. */
const maxReported = 100;

/** Items of lists that fail with an error of their own, beside those among the first 1000 objects: as many as one `_entities` has. */
export const maxItemErrors = 1000;

/**
 * Limits the size of one answer: of a query or mutation, or of one event of a subscription. A class: each execution has one,
 * and objects with getters of their own are expensive to create.
 */
export class AnswerBudget {
  readonly #maxBytes: number;
  readonly #hold: ByteHold | undefined;
  #readBytes = 0;
  #answerBytes = 0;
  #answerObjects = 0;
  #leftOut = 0;
  #failed = 0;
  #error: RequestError | undefined;

  constructor(maxBytes: number, hold?: ByteHold) {
    this.#maxBytes = maxBytes;
    this.#hold = hold;
  }

  /** Waits until the owner has memory for admitted bytes. Only the events of subscriptions wait. */
  waitForRoom(bytes: number): Promise<void> | undefined {
    return bytes > 0 ? this.#hold?.reserve(bytes) : undefined;
  }

  /** Reserves bytes of records, before they are read. False if the budget does not allow it. */
  admitRead(bytes: number): boolean {
    if (this.#readBytes + bytes > this.#maxBytes) return false;
    this.#readBytes += bytes;
    return true;
  }

  /** Counts a value each time a field returns it. False if the answer has no room for it. */
  admitValue(bytes: number, objects: number): boolean {
    if (this.#answerBytes + bytes > this.#maxBytes || this.#answerObjects + objects > maxAnswerObjects)
      return false;
    this.#answerBytes += bytes;
    this.#answerObjects += objects;
    return true;
  }

  /** Objects so far. */
  get answerObjects(): number {
    return this.#answerObjects;
  }

  /** Size of the values so far. */
  get answerBytes(): number {
    return this.#answerBytes;
  }

  /** Room for values. */
  get remainingBytes(): number {
    return this.#maxBytes - this.#answerBytes;
  }

  /** For a value without room. Always the same error, so that many are cheap. */
  get error(): RequestError {
    return (this.#error ??= new RequestError(
      'LIMIT_EXCEEDED',
      `The answer has no room for this value: it is limited to ${this.#maxBytes} bytes and ${maxAnswerObjects} objects. Select fewer fields or request smaller pages.`,
    ));
  }

  /** Counts a value without room. Returns whether to report it: the first ones are reported, the others are only counted. */
  countLeftOut(): boolean {
    this.#leftOut += 1;
    return this.#leftOut <= maxReported;
  }

  /** Values without room that were not reported. */
  get unreported(): number {
    return Math.max(0, this.#leftOut - maxReported);
  }

  /** Counts an item of a list that failed. Returns whether to report it. */
  countFailed(): boolean {
    this.#failed += 1;
    return this.#failed <= maxItemErrors;
  }

  /** Items that failed without an error. */
  get unreportedItems(): number {
    return Math.max(0, this.#failed - maxItemErrors);
  }
}
