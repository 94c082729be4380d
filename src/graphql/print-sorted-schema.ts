import {
  GraphQLObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  printType,
} from 'graphql';
import { printBlockString } from 'graphql/language/blockString.js';

/**
 * The SDL: the description of the schema, then the types in order of their names, and members in the order of their
 * definitions. A field that repeats the description of its interface is printed without it.
 */
export function printSortedSchema(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((type) => printType(withoutRepetition(type)));
  return [printRoots(schema), ...types].join('\n\n').replaceAll(lineDescription, '$1"$2"');
}

/** A description of one line, which needs no block string. */
const lineDescription = /^( *)"""([^"\\\n]+)"""$/gm;

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

function withoutRepetition(type: GraphQLNamedType): GraphQLNamedType {
  if (!isObjectType(type) || type.getInterfaces().length === 0) return type;
  const config = type.toConfig();
  const isRepeated = (name: string, description: string | null | undefined): boolean =>
    type.getInterfaces().some((parent) => parent.getFields()[name]?.description === description);
  const fields = Object.entries(config.fields).map(([name, field]) => [
    name,
    isRepeated(name, field.description) ? { ...field, description: undefined } : field,
  ]);
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(fields) });
}
