import type { GenerationKind } from '../store/records.ts';
import type { DescribedLimits } from '../generations/describe-limits.ts';
import { type Builder, createBuilder } from './builder.ts';
import type { KindDefinition } from './capability.ts';
import type { OutputTypes } from './generation-output.ts';
import type { NodeTypes } from './node-types.ts';

/** Contributions of the capabilities of one schema, for lookups by resolvers. */
export interface GraphTables {
  readonly kinds: ReadonlyMap<GenerationKind, KindDefinition>;
  readonly outputs: OutputTypes;
  readonly nodes: NodeTypes;
  /** Limits by the name of the input type. */
  readonly inputs: ReadonlyMap<string, DescribedLimits>;
}

/** One schema under construction. */
export interface Graph extends GraphTables {
  readonly builder: Builder;
  /**
   * Returns what the function defines and calls it only once. A Pothos ref belongs to one builder, so files export
   * functions that define types instead of types.
   */
  readonly use: <Defined>(define: Define<Defined>) => Defined;
}

/** Defines a type, a field or a set of arguments. */
type Define<Defined> = (graph: Graph) => Defined;

export function createGraph(tables: GraphTables): Graph {
  const defined = new Map<Define<unknown>, unknown>();
  const graph: Graph = {
    ...tables,
    builder: createBuilder(),
    use<Defined>(define: Define<Defined>): Defined {
      if (!defined.has(define)) defined.set(define, define(graph));
      // The map stores each function's own return value.
      return defined.get(define) as Defined;
    },
  };
  return graph;
}
