/** A map that is usually empty, and holds no table then. An empty `Map` takes 200 bytes. */
export class LazyMap<Key, Value> {
  #map: Map<Key, Value> | undefined;

  get size(): number {
    return this.#map?.size ?? 0;
  }

  get(key: Key): Value | undefined {
    return this.#map?.get(key);
  }

  set(key: Key, value: Value): void {
    this.#map ??= new Map();
    this.#map.set(key, value);
  }

  delete(key: Key): void {
    this.#map?.delete(key);
    if (this.#map?.size === 0) this.#map = undefined;
  }

  /** The values at this time. */
  values(): readonly Value[] {
    return this.#map ? [...this.#map.values()] : [];
  }
}
