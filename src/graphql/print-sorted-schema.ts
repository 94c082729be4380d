import { type GraphQLSchema, isIntrospectionType, isSpecifiedScalarType, printType } from 'graphql';
import { printBlockString } from 'graphql/language/blockString.js';
import { withoutRepetition } from './without-repetition.ts';

/**
 * The SDL: the description of the schema, then the types in order of their names, and members in the order of their
 * definitions. Descriptions that repeat what the SDL says elsewhere are left out.
 */
export function printSortedSchema(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((type) => printType(withoutRepetition(type)));
  return [printRoots(schema), ...types].join('\n\n').replaceAll(/"""([^]*?)(?<!\\)"""/g, printShortly);
}

/** A description of one line needs no block string. */
function printShortly(block: string, text: string): string {
  const line = text.trim();
  return /["\\\n]/.test(line) ? block : `"${line}"`;
}

/** graphql-js prints a schema definition only together with all types. */
function printRoots(schema: GraphQLSchema): string {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  const fields = roots.flatMap(([name, type]) => (type ? [`  ${name}: ${type.name}\n`] : []));
  return `${printBlockString(schema.description ?? '')}\nschema {\n${fields.join('')}}`;
}
