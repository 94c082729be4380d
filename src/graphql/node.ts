import type { GraphQLResolveInfo } from 'graphql';
import { RequestError } from '../errors.ts';
import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { idOf } from './node-types.ts';

export function nodeRef({ builder, nodes }: Graph) {
  return builder.interfaceRef<object>('Node').implement({
    description: 'An object with a globally unique id.',
    fields: (t) => ({ id: t.id({ description: 'Opaque and URL-safe.', resolve: idOf }) }),
    resolveType: nodes.typeNameOf,
  });
}

export const maxIds = 100;

export function addNodeQueries({ builder, nodes, use }: Graph): void {
  const findNode = async (id: string, context: Context, info: GraphQLResolveInfo): Promise<object | null> => {
    requireCaller(context);
    return (await nodes.find(id)?.find(id, context, info)) ?? null;
  };
  builder.queryFields((t) => ({
    node: t.field({
      type: use(nodeRef),
      nullable: true,
      description:
        'An object by id. Null if unknown. Selecting only the `id` of a Task does not check that it exists.',
      args: { id: t.arg.id({ required: true, description: 'Object id.' }) },
      resolve: (_root, { id }, context, info) => findNode(id, context, info),
    }),
    nodes: t.field({
      type: [use(nodeRef)],
      nullable: { list: true, items: true },
      description: 'Objects by id, in the same order. Null for unknown ids.',
      args: {
        ids: t.arg.idList({ required: true, description: `At most ${maxIds} ids.` }),
      },
      resolve: (_root, { ids }, context, info) => {
        requireCaller(context);
        assertIdCount(ids);
        return ids.map((id) => findNode(id, context, info));
      },
    }),
  }));
}

/** @throws RequestError LIMIT_EXCEEDED */
export function assertIdCount(ids: readonly string[]): void {
  if (ids.length > maxIds)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `One field takes at most ${maxIds} ids, received ${ids.length}. Split the list.`,
    );
}
