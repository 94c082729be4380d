import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import { printSortedSchema } from '../print-sorted-schema.ts';
import { isShareable } from './shareable.ts';

/**
 * The earliest Federation version with all features in use, including subscriptions, so that many routers can compose it.
 * Federation has no support for `@oneOf`. Composition refuses a directive without a definition, and drops a defined one
 * unless `@composeDirective` names it. That requires a `@link` to a specification; routers never fetch its URL.
 */
const header = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@composeDirective", "@key", "@shareable"])
    @link(url: "https://spec.graphql.org/oneOf/v1.0", import: ["@oneOf"])
    @composeDirective(name: "@oneOf")

  directive @oneOf on INPUT_OBJECT
`;

/**
 * Left out of the subgraph. Two subgraphs with these fields do not compose; if the fields were shareable, a router would
 * query either subgraph for objects of the other.
 */
const unsharedQueries: ReadonlySet<string> = new Set(['node', 'nodes']);

/** The SDL for composition, derived from the printed schema so that it keeps all of it. */
export function printSubgraphSdl(schema: GraphQLSchema, entityNames: readonly string[]): string {
  const definitions = parse(printSortedSchema(schema)).definitions.map((definition) =>
    addDirectives(definition, schema, entityNames),
  );
  return `${print({ kind: Kind.DOCUMENT, definitions: [...parse(header).definitions, ...definitions] })}\n`;
}

function addDirectives(
  definition: DefinitionNode,
  schema: GraphQLSchema,
  entityNames: readonly string[],
): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const type = schema.getType(definition.name.value);
  if (!isObjectType(type)) return definition;
  if (type === schema.getQueryType())
    return {
      ...definition,
      fields: definition.fields?.filter(({ name }) => !unsharedQueries.has(name.value)) ?? [],
    };
  const directives: readonly ConstDirectiveNode[] = [
    ...(entityNames.includes(type.name) ? directivesOf('@key(fields: "id")') : []),
    ...(isShareable(type) ? directivesOf('@shareable') : []),
  ];
  return { ...definition, directives };
}

function directivesOf(text: string): readonly ConstDirectiveNode[] {
  const [scalar] = parse(`scalar Any ${text}`).definitions;
  return scalar?.kind === Kind.SCALAR_TYPE_DEFINITION ? (scalar.directives ?? []) : [];
}
