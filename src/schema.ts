import { type GraphQLSchema, lexicographicSortSchema } from 'graphql';
import type { Capability, ExampleOperation } from './graphql/capability.ts';
import { collect } from './graphql/collect.ts';
import { general } from './graphql/general.ts';
import { createGraph } from './graphql/graph.ts';
import { createNodeTypes } from './graphql/node-types.ts';
import { toSubgraphSchema } from './graphql/subgraph/subgraph-schema.ts';
import { createTaskKinds, type TaskKinds } from './tasks/task-kinds.ts';

/** The graph of a list of capabilities, and what else follows from the list. */
export interface ApiSchema {
  /** What clients see, sorted so that its printed form changes only where the schema does. */
  readonly schema: GraphQLSchema;
  /** What is executed: the same, and what routers ask of a subgraph. */
  readonly subgraphSchema: GraphQLSchema;
  /** The types that other subgraphs can refer to. */
  readonly entityNames: readonly string[];
  readonly taskKinds: TaskKinds;
  /** In the order of the capabilities. */
  readonly operations: readonly ExampleOperation[];
}

/**
 * Builds the schema of these capabilities. Schemas share nothing: each has its own builder, types and tables.
 * @throws when two capabilities define different kinds, outputs or id prefixes of one name
 */
export function createSchema(capabilities: readonly Capability[]): ApiSchema {
  const parts = [...capabilities, general];
  const kinds = collect(parts, 'kind', (part) => Object.entries(part.kinds ?? {}));
  const outputs = collect(parts, 'output', (part) =>
    (part.outputs ?? []).map((output) => [output.type, output]),
  );
  const nodes = createNodeTypes(
    collect(parts, 'id prefix', (part) => (part.nodes ?? []).map((node) => [node.prefix, node])),
  );
  const graph = createGraph({ kinds, outputs, nodes });
  for (const part of parts) part.extend(graph);
  const schema = lexicographicSortSchema(graph.builder.toSchema());
  return {
    schema,
    subgraphSchema: toSubgraphSchema(schema, nodes),
    entityNames: nodes.entityNames,
    taskKinds: createTaskKinds(kinds),
    operations: parts.flatMap(({ operations }) => operations),
  };
}
