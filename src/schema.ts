import { GraphQLSchema } from 'graphql';
import type { Asset } from './generations/asset.ts';
import type { Capability, CapabilityOperation } from './graphql/capability.ts';
import { schemaDescription } from './graphql/builder.ts';
import { collect } from './graphql/collect.ts';
import { general } from './graphql/general.ts';
import { assetsOf, textsOf } from './graphql/generation-output.ts';
import { createGraph } from './graphql/graph.ts';
import { createNodeTypes } from './graphql/node-types.ts';
import { limitAnswers } from './graphql/limit-answers.ts';
import { wrapMutations } from './graphql/wrap-mutations.ts';
import { readTasksFirst } from './graphql/read-tasks-first.ts';
import { toSubgraphSchema } from './graphql/subgraph/subgraph-schema.ts';
import { toCamelCase } from './lib/text.ts';
import type { StoredOutput } from './store/records.ts';
import { createTaskKinds, type TaskKinds } from './tasks/task-kinds.ts';
import type { OutputFacts } from './webhooks/event-body.ts';

/** The schema of a list of capabilities, and related tables. */
export interface ApiSchema {
  /** The schema for clients. Members are in the order of their definitions: required ones first. */
  readonly schema: GraphQLSchema;
  /** The executed schema: adds the subgraph fields for routers. */
  readonly subgraphSchema: GraphQLSchema;
  /** Types that other subgraphs can reference. */
  readonly entityNames: readonly string[];
  /** The capability of each root field, for contracts of a supergraph. */
  readonly tags: ReadonlyMap<string, string>;
  readonly taskKinds: TaskKinds;
  /** The files of an output of any kind. */
  readonly assetsOf: (output: StoredOutput) => readonly Asset[];
  /** The names of all kinds of generations that creates make. */
  readonly createdKinds: ReadonlySet<string>;
  /** In the order of the capabilities. */
  readonly operations: readonly CapabilityOperation[];
  /** The files and the text of an output, whatever its type. */
  readonly describeOutput: (output: StoredOutput) => OutputFacts;
}

/**
 * Builds the schema of these capabilities. Each schema has its own builder, types and tables.
 * @throws when two capabilities define different kinds, outputs or id prefixes with the same name
 */
export function createSchema(capabilities: readonly Capability[]): ApiSchema {
  const parts = [...capabilities, general];
  const kinds = collect(parts, 'kind', (part) => Object.entries(part.kinds ?? {}));
  const outputs = collect(parts, 'output', (part) =>
    Object.values(part.kinds ?? {}).map(({ output }) => [output.type, output]),
  );
  const nodes = createNodeTypes(
    collect(parts, 'id prefix', (part) => (part.nodes ?? []).map((node) => [node.prefix, node])),
  );
  const inputs = collect(parts, 'limits of the input', (part) => Object.entries(part.inputs ?? {}));
  const graph = createGraph({ kinds, outputs, nodes, inputs });
  for (const part of parts) part.extend(graph);
  const built = graph.builder.toSchema({ sortSchema: false });
  const schema = new GraphQLSchema({
    ...built.toConfig(),
    description: schemaDescription,
    assumeValid: true,
  });
  const tags = new Map(
    parts.flatMap((part) => part.operations.map(({ name }) => [toCamelCase(name), part.name] as const)),
  );
  return {
    schema,
    subgraphSchema: wrapMutations(limitAnswers(readTasksFirst(toSubgraphSchema(schema, nodes, tags), nodes))),
    tags,
    entityNames: nodes.entityNames,
    taskKinds: createTaskKinds(kinds),
    assetsOf: (output) => assetsOf(graph, output),
    createdKinds: new Set([...kinds].flatMap(([name, kind]) => (kind.isCreatedElsewhere ? [] : [name]))),
    operations: parts.flatMap(({ name, operations }) =>
      operations.map((operation) => ({ ...operation, capability: name })),
    ),
    describeOutput: (output) => ({
      assets: assetsOf({ outputs }, output),
      texts: textsOf({ outputs }, output),
    }),
  };
}
