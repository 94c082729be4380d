import type { Capability } from './capability.ts';

/**
 * All definitions of one category, by name. Several capabilities may list the same value.
 * @throws when a name has different values
 */
export function collect<Value>(
  capabilities: readonly Capability[],
  sort: string,
  entriesOf: (capability: Capability) => Iterable<readonly [name: string, value: Value]>,
): ReadonlyMap<string, Value> {
  const collected = new Map<string, { readonly value: Value; readonly from: Capability }>();
  for (const capability of capabilities) {
    for (const [name, value] of entriesOf(capability)) {
      const known = collected.get(name);
      if (known && known.value !== value)
        throw new Error(
          `The capabilities ${known.from.name} and ${capability.name} both define the ${sort} ${name}. Rename one.`,
        );
      collected.set(name, { value, from: capability });
    }
  }
  return new Map([...collected].map(([name, { value }]) => [name, value]));
}
