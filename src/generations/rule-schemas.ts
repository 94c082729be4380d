import type { Json, JsonObject } from '../lib/json.ts';

/** Objects with this member, valid for its schema. */
export function has(member: string, schema: JsonObject): JsonObject {
  return { required: [member], properties: { [member]: schema } };
}

/** Objects whose member is absent or valid for its schema. */
export function may(member: string, schema: JsonObject): JsonObject {
  return { properties: { [member]: schema } };
}

/** Objects with this member, of this value. */
export function hasValue(member: string, value: Json): JsonObject {
  return has(member, { const: value });
}

export function when(condition: JsonObject, consequence: JsonObject): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: condition, then: consequence };
}

/** Text with a character other than white space. */
export const notBlank: JsonObject = { pattern: String.raw`\S` };

/** A pattern that matches the text in any case of its ASCII letters. Patterns of JSON Schema have no flags. */
export function anyCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

/** The arguments of zod's `refine` for text that must match a pattern. It must mean the same with the flag `u`, which JSON Schema has. */
export function matches(pattern: RegExp, error: string, limit: string) {
  const params = { limit, schema: { pattern: pattern.source } };
  return [(text: string) => pattern.test(text), { error, params }] as const;
}
