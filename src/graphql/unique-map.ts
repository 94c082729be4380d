/** A map of definitions by name. Capabilities may repeat a value. @throws when a name has two values */
export function uniqueMap<Value>(
  what: string,
  entries: Iterable<readonly [name: string, value: Value]>,
): ReadonlyMap<string, Value> {
  const map = new Map<string, Value>();
  for (const [name, value] of entries) {
    if (map.has(name) && map.get(name) !== value)
      throw new Error(`Two capabilities define the ${what} ${name}. Rename one of them.`);
    map.set(name, value);
  }
  return map;
}
