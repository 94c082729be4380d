import { z } from 'zod';
import { asArray, asJsonObject, asRecord, asString, type Json, type JsonObject } from '../lib/json.ts';

/** The parts of `InputLimits` that can be described, for any input. */
export interface DescribedLimits {
  readonly members: z.ZodType;
  readonly rules?: Readonly<Record<string, unknown>>;
  readonly declared: readonly string[];
  readonly alternatives?: Readonly<Record<string, DescribedLimits | undefined>>;
}

/** Keyword for limits that JSON Schema cannot express, in words. */
export const rulesKeyword = 'x-rules';

const spellingRule =
  'no other spelling of these names, such as in another letter case or with other separators';

/** The limits of an input as JSON Schema, from the same objects that check it. Only the graph knows the types of members. */
export function describeLimits(limits: DescribedLimits): JsonObject {
  const schema = asJsonObject(
    z.toJSONSchema(limits.members, { io: 'input', unrepresentable: 'any', override: addChecks }),
  );
  const alternatives = Object.entries(limits.alternatives ?? {}).flatMap(([name, inner]) =>
    inner ? [[name, describeLimits(inner)] as const] : [],
  );
  const rules = Object.entries(limits.rules ?? {}).map(([statement, rule]) => {
    const { schema: expressed, isPart } = asRecord(rule) ?? {};
    return { statement, expressed: asJsonObject(expressed), isPart: isPart === true };
  });
  const words = rules.flatMap(({ statement, expressed, isPart }) =>
    expressed && !isPart ? [] : [statement],
  );
  const schemas = rules.flatMap(({ statement, expressed }) =>
    expressed ? [{ description: statement, ...expressed }] : [],
  );
  return {
    properties: {
      ...asJsonObject(schema?.['properties']),
      ...Object.fromEntries(alternatives),
      // `checkInput` refuses the same names.
      extra: {
        type: 'object',
        propertyNames: { not: { enum: [...new Set([...limits.declared, 'stream'])] } },
        [rulesKeyword]: [spellingRule],
      },
    },
    ...(schemas.length > 0 && { allOf: schemas }),
    ...(words.length > 0 && { [rulesKeyword]: words }),
  };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/**
 * Adds the checks that zod cannot translate: `params.schema` of a check, or else its `params.limit` in words. Both if
 * `params.isPart`. Metadata of a zod schema has the same two, as `pattern` and `description`.
 */
const addChecks: Override = ({ zodSchema, jsonSchema }) => {
  const schema: Record<string, unknown> = jsonSchema;
  const rules: Json[] = [];
  const patterns: Json[] = [];
  if (typeof schema['description'] === 'string') rules.push(schema['description']);
  delete schema['description'];
  if (typeof schema['pattern'] === 'string') patterns.push(schema['pattern']);
  delete schema['pattern'];
  for (const definition of definitionsOf(zodSchema)) {
    // `trim` before a minimum of one character.
    if (definition['check'] === 'overwrite') patterns.push(String.raw`\S`);
    const { schema: own, limit, isPart } = asRecord(definition['params']) ?? {};
    const { pattern, ...keywords } = asJsonObject(own) ?? {};
    Object.assign(schema, keywords);
    if (pattern !== undefined) patterns.push(pattern);
    if ((own === undefined || isPart === true) && typeof limit === 'string') rules.push(limit);
  }
  if (patterns.length > 0) schema['allOf'] = patterns.map((pattern) => ({ pattern }));
  if (rules.length > 0) schema[rulesKeyword] = rules;
};

/** The definitions of all checks of a schema. A custom schema is a check itself. */
function definitionsOf(zodSchema: z.core.$ZodType): readonly Readonly<Record<string, unknown>>[] {
  const own = asRecord(zodSchema._zod.def) ?? {};
  const checks = asArray(own['checks']).map((check) =>
    asRecord(asRecord(asRecord(check)?.['_zod'])?.['def']),
  );
  const custom = asString(own['check']) === undefined ? undefined : own;
  return [...checks, custom].filter((definition) => definition !== undefined);
}
