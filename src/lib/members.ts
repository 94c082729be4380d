/** The names of an object that has no others than its type says. */
export function namesOf<Members extends object>(members: Members): readonly (keyof Members & string)[] {
  const names: (keyof Members & string)[] = [];
  for (const name in members) names.push(name);
  return names;
}

/** An object with the same names and other values. */
export function mapMembers<Name extends string, Value, Mapped>(
  members: Readonly<Record<Name, Value>>,
  map: (value: Value, name: Name) => Mapped,
): Record<Name, Mapped> {
  return fromNames(namesOf(members), (name) => map(members[name], name));
}

/** An object with these names. */
export function fromNames<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value>;
export function fromNames<Value>(names: readonly string[], valueOf: (name: string) => Value): object {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/** A member by a name that clients choose. Undefined for names of the prototype, such as `constructor`. */
export function ownMember<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
