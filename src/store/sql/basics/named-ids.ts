/** Ids of a prepared query, each under a name of its own. */
export interface NamedIds {
  readonly [name: `id${number}`]: string;
}

/** Repeats the last id until their number is a power of two, so that there are few different statements. */
export function nameIds(ids: readonly string[]): NamedIds {
  const named: Record<`id${number}`, string> = {};
  const last = ids.at(-1) ?? '';
  const count = 2 ** Math.ceil(Math.log2(ids.length));
  for (let index = 0; index < count; index += 1) named[`id${index}`] = ids[index] ?? last;
  return named;
}

/** For the builder of the query. */
export function listIds(named: NamedIds): readonly string[] {
  return Object.values(named);
}
