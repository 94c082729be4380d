import type { GraphQLResolveInfo } from 'graphql';
import { RequestError } from '../../errors.ts';
import { isRecord } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { type Context, requireCaller } from '../context.ts';
import type { NodeType, NodeTypes } from '../node-types.ts';

/** A router may ask in one operation for what several pages of lists refer to; it cannot split its request. */
export const maxRepresentations = 1000;

/**
 * What a router asks for by reference, in the same order, null where there is none of this caller. All are looked up
 * through the operation's loaders, hence read together; a failure stays with its own representation.
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
      `At most ${maxRepresentations} representations in one field, received ${representations.length}.`,
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

/** @throws RequestError BAD_REQUEST that tells what is wrong with it */
function readRepresentation(nodes: NodeTypes, representation: unknown, name: string): Reference {
  const { __typename: typeName, id } = isRecord(representation) ? representation : {};
  if (typeof typeName !== 'string') throw badRepresentation(nodes, `${name} has no __typename`);
  const type = nodes.findEntity(typeName);
  if (!type)
    throw badRepresentation(nodes, `${name}: ${abbreviate(typeName, 100)} is no entity of this subgraph`);
  if (typeof id !== 'string')
    throw badRepresentation(nodes, `${name}: the key of ${typeName} is its id, a string`);
  return { type, id };
}

function badRepresentation({ entityNames }: NodeTypes, what: string): RequestError {
  return new RequestError('BAD_REQUEST', `${what}; entities are ${entityNames.join(', ')}.`);
}
