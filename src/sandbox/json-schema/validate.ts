import { Validator } from '@cfworker/json-schema';
import { stringifyJson } from '../../lib/json.ts';
import { UnsatisfiableSchema, type Schema } from './schema.ts';

/**
 * Whether a value satisfies a schema. The validator interprets the schema: it compiles no code and fetches no
 * remote reference.
 */
export function isValid(schema: unknown, value: unknown): boolean {
  try {
    return new Validator(toPlain(schema), '2020-12').validate(toPlain(value)).valid;
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UnsatisfiableSchema(reason);
  }
}

/** Copies a value for the library, which modifies schemas and does not support bigint. */
function toPlain(value: unknown): Schema {
  return JSON.parse(stringifyJson(value)) as Schema; // A schema, or the value that it is for.
}

const localKeywords =
  /^(type|enum|minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|pattern|format)$/;

/** Whether a value satisfies the keywords that concern the value itself and refer to no other schema. */
export function isPlausible(schema: Schema, value: unknown): boolean {
  return isValid(
    Object.fromEntries(Object.entries(schema).filter(([key]) => localKeywords.test(key))),
    value,
  );
}
