/** What `inputSchema` uses of JSON Schema. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly (string | null)[];
  readonly allOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly $ref?: string;
  readonly 'x-rules'?: readonly string[];
}

export interface Problem {
  /** Names of members and positions in lists, from the input's own root. */
  readonly path: readonly string[];
  readonly message: string;
}

export type FieldKind = 'object' | 'one-of' | 'list' | 'choice' | 'boolean' | 'number' | 'text' | 'json';

export function kindOf(schema: Schema): FieldKind {
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

/** `maxTokens` as `Max tokens`. */
export function toLabel(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The limits that a page can check before it sends anything. The server checks all of them. */
export function findProblems(
  schema: Schema,
  value: unknown,
  path: readonly string[] = [],
): readonly Problem[] {
  const problem = (message: string): readonly Problem[] => [{ path, message }];
  const isEmpty = value === undefined || value === null || Object.keys(value).length === 0;
  // The root of a form is there in any case.
  if (kindOf(schema) === 'one-of' && isEmpty && (path.length === 0 || value)) return problem('Choose one.');
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    const { items = {}, minItems = 0, maxItems = Infinity } = schema;
    if (value.length < minItems) return problem(`At least ${minItems}.`);
    if (value.length > maxItems) return problem(`At most ${maxItems}.`);
    return value.flatMap((item, index) => findProblems(items, item, [...path, String(index)]));
  }
  if (typeof value === 'object') {
    const members = value as Readonly<Record<string, unknown>>; // A parsed value.
    const missing = (schema.required ?? [])
      .filter((name) => members[name] === undefined || members[name] === null)
      .map((name) => ({ path: [...path, name], message: 'Required.' }));
    const inside = Object.entries(members).flatMap(([name, member]) =>
      findProblems(schema.properties?.[name] ?? {}, member, [...path, name]),
    );
    return [...missing, ...inside];
  }
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return problem('A number.');
    if (value < (schema.minimum ?? -Infinity)) return problem(`At least ${schema.minimum}.`);
    if (value > (schema.maximum ?? Infinity)) return problem(`At most ${schema.maximum}.`);
  }
  if (typeof value === 'string') {
    const length = Array.from(value).length;
    if (length < (schema.minLength ?? 0)) return problem('Must not be empty.');
    if (length > (schema.maxLength ?? Infinity))
      return problem(`At most ${schema.maxLength} characters, not ${length}.`);
    const broken = [schema, ...(schema.allOf ?? [])].find(
      ({ pattern }) => pattern && !new RegExp(pattern, 'u').test(value),
    );
    if (broken)
      return problem(
        broken.pattern === '\\S' ? 'Must not be blank.' : (schema['x-rules']?.[0] ?? 'Has the wrong form.'),
      );
  }
  return [];
}
