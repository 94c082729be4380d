/** What `inputSchema` uses of JSON Schema. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly $ref?: string;
  readonly 'x-rules'?: readonly string[];
}

/** Names of members and positions in lists, from the input's own root. */
type Path = readonly string[];

export type Problem = { readonly path: Path; readonly message: string };

export function kindOf(schema: Schema) {
  const types = [schema.type ?? []].flat();
  if (schema.$ref) return 'json';
  if (schema.properties) return schema.maxProperties === 1 ? 'one-of' : 'object';
  if (types.includes('array')) return 'list';
  if (schema.enum) return 'choice';
  if (types.includes('boolean')) return 'boolean';
  // A member that takes both is an id.
  if (types.includes('string')) return 'text';
  return types.includes('number') || types.includes('integer') ? 'number' : 'json';
}

/** `maxTokens` as `Max tokens`, and the position 0 of a list as 1. */
export function toLabel(name: string): string {
  if (/^\d+$/.test(name)) return `${Number(name) + 1}`;
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a new member begins with. */
export function emptyOf(schema: Schema): unknown {
  const kind = kindOf(schema);
  return kind === 'list' ? [] : kind === 'object' || kind === 'one-of' ? {} : '';
}

/** The value at a path. Undefined if there is none. */
export function getAt(value: unknown, path: Path): unknown {
  return path.reduce((inside, part) => (inside as Record<string, unknown> | undefined)?.[part], value); // Any value.
}

/** The value with another one at a path. Undefined removes a member. */
export function setAt(value: unknown, [name, ...rest]: Path, next: unknown): unknown {
  if (name === undefined) return next;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? setAt(item, rest, next) : item));
  const members = (value ?? {}) as Readonly<Record<string, unknown>>; // An input object.
  const { [name]: member, ...others } = members;
  const changed = setAt(member, rest, next);
  return changed === undefined ? others : { ...members, [name]: changed };
}

/** The value without objects in which nothing is filled in. */
export function prune(value: unknown): unknown {
  const isEmpty = (part: unknown): boolean => part?.constructor === Object && Object.keys(part).length === 0;
  const keep = (key: string, part: unknown) => (key && isEmpty(part) ? undefined : part);
  return JSON.parse(JSON.stringify(value ?? {}, keep));
}

/** Text that is not JSON stays text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What GraphQL would refuse without naming the field, and numbers beyond their limits. The server checks all limits. */
export function findProblems(schema: Schema, value: unknown, path: Path = []): readonly Problem[] {
  const problem = (message: string): readonly Problem[] => [{ path, message }];
  const kind = kindOf(schema);
  if (value === undefined || value === null || value === '') return problem('Required.');
  if (kind === 'json' && typeof value === 'string') return problem('Not valid JSON.');
  if (kind === 'number' && typeof value === 'string') return problem('Not a number.');
  const types = [schema.type].flat();
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const whole = types.includes('integer') ? 'whole ' : '';
  const number = whole && !Number.isInteger(value) ? NaN : Number(value);
  if (kind === 'number' && !(number >= minimum && number <= maximum))
    return problem(`Must be a ${whole}number from ${minimum} to ${maximum}.`);
  // A number of any length is typed as text, which has a pattern then.
  const isNumber = types.includes('integer') || types.includes('number');
  if (kind === 'text' && isNumber && !RegExp(schema.pattern ?? '').test(`${value as string | number}`))
    return problem('Not a number.');
  if (Array.isArray(value))
    return value.flatMap((item, index) => findProblems(schema.items ?? {}, item, [...path, `${index}`]));
  if (kind === 'one-of' && Object.keys(value).length === 0) return problem('Choose one.');
  if (typeof value !== 'object' || !schema.properties) return [];
  return [...new Set([...(schema.required ?? []), ...Object.keys(value)])].flatMap((name) =>
    findProblems(schema.properties?.[name] ?? {}, getAt(value, [name]), [...path, name]),
  );
}
