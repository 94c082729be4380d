import type { GraphQLResolveInfo } from 'graphql';
import { RequestError } from '../../errors.ts';
import { isRecord } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { type Context, requireCaller } from '../context.ts';
import { type NodeType, registerNode } from '../node.ts';

const entityTypes = new Map<string, NodeType>();

/** Makes objects with ids `<prefix>_…` reachable by `node`, and by other subgraphs, which refer to them by `id`. */
export function registerEntity(prefix: string, type: NodeType): void {
  registerNode(prefix, type);
  entityTypes.set(type.typeName, type);
}

/** Sorted, so that what is made of them changes only when they do. */
export function entityNames(): readonly string[] {
  return [...entityTypes.keys()].sort();
}

/** A router may ask in one operation for what several pages of lists refer to; it cannot split its request. */
export const maxRepresentations = 1000;

/**
 * What a router asks for by reference, in the same order, null where there is none of this caller. All are looked up
 * through the operation's loaders, hence read together; a failure stays with its own representation.
 * @throws RequestError UNAUTHENTICATED, LIMIT_EXCEEDED
 */
export function findEntities(
  representations: readonly unknown[],
  context: Context,
  info: GraphQLResolveInfo,
): readonly Promise<object | null>[] {
  requireCaller(context);
  if (representations.length > maxRepresentations) {
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `At most ${maxRepresentations} representations in one field, received ${representations.length}.`,
    );
  }
  return representations.map(async (representation, index) => {
    const { type, id } = readRepresentation(representation, `representations[${index}]`);
    return (await type.find(id, context, info)) ?? null;
  });
}

interface Reference {
  readonly type: NodeType;
  readonly id: string;
}

/** @throws RequestError BAD_REQUEST that tells what is wrong with it */
function readRepresentation(representation: unknown, name: string): Reference {
  const { __typename: typeName, id } = isRecord(representation) ? representation : {};
  if (typeof typeName !== 'string') throw badRepresentation(`${name} has no __typename`);
  const type = entityTypes.get(typeName);
  if (!type) throw badRepresentation(`${name}: ${abbreviate(typeName, 100)} is no entity of this subgraph`);
  if (typeof id !== 'string') throw badRepresentation(`${name}: the key of ${typeName} is its id, a string`);
  return { type, id };
}

function badRepresentation(what: string): RequestError {
  return new RequestError('BAD_REQUEST', `${what}; entities are ${entityNames().join(', ')}.`);
}
