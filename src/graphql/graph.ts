import type { GenerationKind } from '../store/records.ts';
import { type Builder, createBuilder } from './builder.ts';
import type { KindDefinition } from './capability.ts';
import type { OutputTypes } from './generation-output.ts';
import type { NodeTypes } from './node-types.ts';

/** What the capabilities of one schema define, for lookups by resolvers. */
export interface GraphTables {
  readonly kinds: ReadonlyMap<GenerationKind, KindDefinition>;
  readonly outputs: OutputTypes;
  readonly nodes: NodeTypes;
}

/** One schema under construction. */
export interface Graph extends GraphTables {
  readonly builder: Builder;
  /**
   * Returns what the function defines. Calls the function only at its first use. A Pothos ref belongs to one builder,
   * so files export functions that define types, not the types themselves.
   */
  readonly use: <Defined>(define: Define<Defined>) => Defined;
}

/** Defines a type, a field or a set of arguments in a graph. */
export type Define<Defined> = (graph: Graph) => Defined;

export function createGraph(tables: GraphTables): Graph {
  const defined = new Map<Define<unknown>, unknown>();
  const graph: Graph = {
    ...tables,
    builder: createBuilder(),
    use<Defined>(define: Define<Defined>): Defined {
      if (!defined.has(define)) defined.set(define, define(graph));
      // The map holds for each function the value that it returned.
      return defined.get(define) as Defined;
    },
  };
  return graph;
}
