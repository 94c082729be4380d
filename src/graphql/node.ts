import type { GraphQLResolveInfo } from 'graphql';
import { RequestError } from '../errors.ts';
import { builder } from './builder.ts';
import { type Context, requireCaller } from './context.ts';

/** Every id begins with a word that tells its type. */
export interface NodeType {
  readonly typeName: string;
  /** The caller's own object, or undefined. `info` tells what is selected of it. */
  readonly find: (id: string, context: Context, info: GraphQLResolveInfo) => Promise<object | undefined>;
}

const nodeTypes = new Map<string, NodeType>();

/** Makes objects with ids `<prefix>_…` reachable by `node`. */
export function registerNode(prefix: string, type: NodeType): void {
  nodeTypes.set(prefix, type);
}

export const NodeRef = builder.interfaceRef<object>('Node').implement({
  description:
    'An object with an id that is unique in this API (https://relay.dev/graphql/objectidentification.htm).',
  fields: (t) => ({ id: t.id({ description: 'Opaque and URL-safe.', resolve: idOf }) }),
  resolveType: typeNameOf,
});

export const maxIds = 100;

builder.queryFields((t) => ({
  node: t.field({
    type: NodeRef,
    nullable: true,
    description: 'An object of any type by its id; null when there is none, or none of this caller.',
    args: { id: t.arg.id({ required: true, description: "The object's id." }) },
    resolve: (_root, { id }, context, info) => findNode(id, context, info),
  }),
  nodes: t.field({
    type: [NodeRef],
    nullable: { list: false, items: true },
    description: `Objects by their ids, in the same order, null where there is none. At most ${maxIds}.`,
    args: {
      ids: t.arg.idList({ required: true, description: `At most ${maxIds}; duplicates are allowed.` }),
    },
    resolve: (_root, { ids }, context, info) => {
      requireCaller(context);
      assertIdCount(ids);
      return ids.map((id) => findNode(id, context, info));
    },
  }),
}));

/** @throws RequestError LIMIT_EXCEEDED */
export function assertIdCount(ids: readonly string[]): void {
  if (ids.length > maxIds)
    throw new RequestError('LIMIT_EXCEEDED', `At most ${maxIds} ids in one field, received ${ids.length}.`);
}

async function findNode(id: string, context: Context, info: GraphQLResolveInfo): Promise<object | null> {
  requireCaller(context);
  return (await nodeTypeOf(id)?.find(id, context, info)) ?? null;
}

/** The type of an object that has an id of this API. */
export function typeNameOf(value: object): string | undefined {
  return nodeTypeOf(idOf(value))?.typeName;
}

function nodeTypeOf(id: string): NodeType | undefined {
  return nodeTypes.get(id.slice(0, Math.max(0, id.indexOf('_'))));
}

function idOf(value: object): string {
  return 'id' in value && typeof value.id === 'string' ? value.id : '';
}
