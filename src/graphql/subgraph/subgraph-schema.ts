import {
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
} from 'graphql';
import type { Context } from '../context.ts';
import type { NodeTypes } from '../node-types.ts';
import { findEntities, maxRepresentations } from './entities.ts';
import { printSubgraphSdl, type SdlOptions } from './subgraph-sdl.ts';

/**
 * Adds the fields that routers need: the SDL, and entities by reference
 * (https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/subgraph-spec).
 */
export function toSubgraphSchema(
  schema: GraphQLSchema,
  nodes: NodeTypes,
  tags: ReadonlyMap<string, string>,
): GraphQLSchema {
  const { types, query, ...config } = schema.toConfig();
  if (!query) return schema;
  const queryConfig = query.toConfig();
  const fields = {
    ...queryConfig.fields,
    _entities: entitiesField(schema, nodes),
    _service: serviceField(schema, { entityNames: nodes.entityNames, tags }),
  };
  return new GraphQLSchema({
    ...config,
    types: types.filter((type) => type !== query),
    query: new GraphQLObjectType({ ...queryConfig, fields }),
    // Its parts come from a valid schema.
    assumeValid: true,
  });
}

function entitiesField(
  schema: GraphQLSchema,
  nodes: NodeTypes,
): GraphQLFieldConfig<unknown, Context, { readonly representations: readonly unknown[] }> {
  const AnyScalar = new GraphQLScalarType({
    name: '_Any',
    description: 'Entity reference: `__typename` and `id`.',
  });
  const EntityUnion = new GraphQLUnionType({
    name: '_Entity',
    description: 'Types that other subgraphs can reference.',
    types: nodes.entityNames.map((name) => schema.getType(name)).filter(isObjectType),
    resolveType: nodes.typeNameOf,
  });
  return {
    type: new GraphQLNonNull(new GraphQLList(EntityUnion)),
    description:
      'For routers: entities by reference, in the same order. Null if the caller has no such entity.',
    args: {
      representations: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(AnyScalar))),
        description: `At most ${maxRepresentations} references.`,
      },
    },
    resolve: (_root, { representations }, context, info) =>
      findEntities(nodes, representations, { context, info }),
  };
}

function serviceField(schema: GraphQLSchema, options: SdlOptions): GraphQLFieldConfig<unknown, Context> {
  let sdl: string | undefined;
  const ServiceType = new GraphQLObjectType({
    name: '_Service',
    description: 'Subgraph metadata for routers.',
    fields: {
      sdl: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'SDL with Federation 2 directives.',
        // Printed on demand, because most processes never need it.
        resolve: () => (sdl ??= printSubgraphSdl(schema, options)),
      },
    },
  });
  return {
    type: new GraphQLNonNull(ServiceType),
    description: 'For routers: subgraph metadata.',
    resolve: () => ({}),
  };
}
