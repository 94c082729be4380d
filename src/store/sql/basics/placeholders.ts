import type { CompiledQuery } from 'kysely';

/** Marks a value in a query that is compiled once and executed with many values. */
export class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The compiled query with a value for every placeholder. @throws RangeError when a placeholder has no value */
export function bindPlaceholders<Row>(compiled: CompiledQuery<Row>, values: object): CompiledQuery<Row> {
  const parameters = compiled.parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return parameter;
    if (!Object.hasOwn(values, parameter.name))
      throw new RangeError(`no value for the placeholder ${parameter.name}`);
    const value: unknown = Reflect.get(values, parameter.name);
    return value;
  });
  return { ...compiled, parameters };
}
