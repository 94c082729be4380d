/** Adds up amounts by key and over all keys. A key without an amount takes no memory. */
export class Tally {
  readonly #amounts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(key: string): number {
    return this.#amounts.get(key) ?? 0;
  }

  add(key: string, difference: number): void {
    const amount = this.of(key) + difference;
    if (amount > 0) this.#amounts.set(key, amount);
    else this.#amounts.delete(key);
    this.#total += difference;
  }
}
