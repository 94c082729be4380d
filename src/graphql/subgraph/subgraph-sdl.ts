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
 * Pinned: the earliest version that has all that is used, subscriptions among it, so that many routers can compose it.
 * Federation knows no `@oneOf`: undefined it is refused, defined alone it is dropped from the supergraph. Composed as a
 * directive of its own, it stays; that takes a link to a specification, which is a name and never fetched.
 */
const header = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@composeDirective", "@key", "@shareable"])
    @link(url: "https://spec.graphql.org/oneOf/v1.0", import: ["@oneOf"])
    @composeDirective(name: "@oneOf")

  directive @oneOf on INPUT_OBJECT
`;

/**
 * Not for a supergraph: two subgraphs that have them do not compose and, were they shareable, each would be asked for the
 * other's objects.
 */
const ownQueries: ReadonlySet<string> = new Set(['node', 'nodes']);

/** What the subgraph serves for composition. Made of the printed schema itself, so that nothing that it says is lost. */
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
