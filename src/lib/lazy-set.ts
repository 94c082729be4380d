/** A set in insertion order that is usually empty, and holds no table then. An empty `Set` takes 150 bytes. */
export class LazySet<Value> {
  #set: Set<Value> | undefined;

  get size(): number {
    return this.#set?.size ?? 0;
  }

  /** The value that was added first. */
  get first(): Value | undefined {
    return this.#set?.values().next().value;
  }

  add(value: Value): void {
    this.#set ??= new Set();
    this.#set.add(value);
  }

  delete(value: Value): boolean {
    const isDeleted = this.#set?.delete(value) ?? false;
    if (this.#set?.size === 0) this.#set = undefined;
    return isDeleted;
  }
}
