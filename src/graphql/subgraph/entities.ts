import type { GraphQLResolveInfo } from 'graphql';
import { RequestError } from '../../errors.ts';
import { isRecord } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { type Context, requireCaller } from '../context.ts';
import type { NodeType, NodeTypes } from '../node-types.ts';

/** Large enough for several pages of lists, because a router cannot split its request. */
export const maxRepresentations = 1000;

/**
 * The entities of a router's representations, in the same order. Null if the caller has no such entity. The operation's
 * loaders batch the reads. A failed read fails only its own entity.
 * @throws RequestError UNAUTHENTICATED, LIMIT_EXCEEDED
 */
export function findEntities(
  nodes: NodeTypes,
  representations: readonly unknown[],
  { context, info }: { readonly context: Context; readonly info: GraphQLResolveInfo },
): readonly Promise<object | null>[] {
  requireCaller(context);
  if (representations.length > maxRepresentations) {
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `One field takes at most ${maxRepresentations} representations, received ${representations.length}.`,
    );
  }
  return representations.map(async (representation, index) => {
    const { type, id } = readRepresentation(nodes, representation, `representations[${index}]`);
    return (await type.find(id, context, info)) ?? null;
  });
}

interface Reference {
  readonly type: NodeType;
  readonly id: string;
}

/** @throws RequestError BAD_REQUEST with the problem */
function readRepresentation(nodes: NodeTypes, representation: unknown, name: string): Reference {
  const { __typename: typeName, id } = isRecord(representation) ? representation : {};
  if (typeof typeName !== 'string') throw badRepresentation(nodes, `${name} has no __typename`);
  const type = nodes.findEntity(typeName);
  if (!type)
    throw badRepresentation(nodes, `${name}: ${abbreviate(typeName, 100)} is not an entity of this subgraph`);
  if (typeof id !== 'string')
    throw badRepresentation(nodes, `${name} needs the key of ${typeName}: id, a string`);
  return { type, id };
}

function badRepresentation({ entityNames }: NodeTypes, problem: string): RequestError {
  return new RequestError('BAD_REQUEST', `${problem}. The entities are ${entityNames.join(', ')}.`);
}
