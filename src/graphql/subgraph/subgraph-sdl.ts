import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
} from 'graphql';
import { isShareable } from './shareable.ts';

/**
 * The version is pinned to the earliest one with all features in use, such as subscriptions, so that many routers can
 * compose it. Federation has no `@oneOf`: without a definition composition fails, and with a definition alone the
 * supergraph loses it. `@composeDirective` keeps it, which requires a link to a specification. The URL is never fetched.
 */
const header = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@composeDirective", "@key", "@shareable"])
    @link(url: "https://spec.graphql.org/oneOf/v1.0", import: ["@oneOf"])
    @composeDirective(name: "@oneOf")

  directive @oneOf on INPUT_OBJECT
`;

/**
 * Not part of a supergraph. Two subgraphs with these fields do not compose. If the fields were shareable, a router would
 * ask one subgraph for objects of the other.
 */
const ownQueries: ReadonlySet<string> = new Set(['node', 'nodes']);

/** The SDL for composition, derived from the printed schema so that descriptions and directives are kept. */
export function printSubgraphSdl(schema: GraphQLSchema, entityNames: readonly string[]): string {
  const definitions = parse(printSchema(schema)).definitions.map((definition) =>
    mark(definition, schema, entityNames),
  );
  return `${print({ kind: Kind.DOCUMENT, definitions: [...parse(header).definitions, ...definitions] })}\n`;
}

function mark(
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
      fields: definition.fields?.filter(({ name }) => !ownQueries.has(name.value)) ?? [],
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
