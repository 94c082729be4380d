import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from './context.ts';

/** An object type with ids of the form `<prefix>_…`. */
export interface NodeType {
  readonly prefix: string;
  readonly typeName: string;
  /** Whether other subgraphs can reference its objects by `id`. @default false */
  readonly isEntity?: boolean;
  /** The caller's object, or undefined. `info` has the selection. */
  readonly find: (id: string, context: Context, info: GraphQLResolveInfo) => Promise<object | undefined>;
}

export interface NodeTypes {
  /** The type of an id. Undefined for other text. */
  find(id: string): NodeType | undefined;
  /** The type name of an object, from its id. */
  typeNameOf(value: object): string | undefined;
  /** The entity type of this name. */
  findEntity(typeName: string): NodeType | undefined;
  /** Sorted, so that the order of capabilities does not change generated files. */
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

/** The id of an object, or an empty string. */
export function idOf(value: object): string {
  return 'id' in value && typeof value.id === 'string' ? value.id : '';
}
