import type { GraphQLResolveInfo } from 'graphql';
import { RequestError } from '../../errors.ts';
import { isRecord } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { type Context, requireCaller } from '../context.ts';
import type { NodeType, NodeTypes } from '../node-types.ts';

/** A router cannot split its request: one operation may refer to several pages of lists. */
export const maxRepresentations = 1000;

/**
 * Resolves references of a router in order. Null when the caller has no such object. All lookups go through the
 * operation's loaders, so they are read together. A failure affects only its own representation.
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

/** @throws RequestError BAD_REQUEST when the representation is invalid */
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
