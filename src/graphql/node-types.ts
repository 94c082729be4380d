import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from './context.ts';

/** A type of objects with ids of the form `<prefix>_…`. */
export interface NodeType {
  readonly prefix: string;
  readonly typeName: string;
  /** Whether other subgraphs can refer to its objects by `id`. @default false */
  readonly isEntity?: boolean;
  /** The caller's own object, or undefined. `info` describes what is selected of it. */
  readonly find: (id: string, context: Context, info: GraphQLResolveInfo) => Promise<object | undefined>;
}

export interface NodeTypes {
  /** The type that an id names; undefined for a text that is not an id of this graph. */
  find(id: string): NodeType | undefined;
  /** The name of an object's type, by its id. */
  typeNameOf(value: object): string | undefined;
  /** The type of this name, when other subgraphs can refer to it. */
  findEntity(typeName: string): NodeType | undefined;
  /** Sorted, so that generated files change only when the set does. */
  readonly entityNames: readonly string[];
}

/** @param types by prefix */
export function createNodeTypes(types: ReadonlyMap<string, NodeType>): NodeTypes {
  const entities = new Map(
    [...types.values()].filter(({ isEntity }) => isEntity).map((type) => [type.typeName, type]),
  );
  const find = (id: string): NodeType | undefined => types.get(id.slice(0, Math.max(0, id.indexOf('_'))));
  return {
    find,
    typeNameOf: (value) => find(idOf(value))?.typeName,
    findEntity: (typeName) => entities.get(typeName),
    entityNames: [...entities.keys()].sort(),
  };
}

/** The id of an object, empty for one without. */
export function idOf(value: object): string {
  return 'id' in value && typeof value.id === 'string' ? value.id : '';
}
