import type { Graph } from '../../graphql/graph.ts';
import {
  checkPageSize,
  type Connection,
  connectionType,
  defaultPageSize,
  maxCount,
  packPosition,
  toCount,
  unpackPosition,
} from '../../graphql/connection.ts';
import { type Context, requireCaller } from '../../graphql/context.ts';
import { requirePermission } from '../../gateway/caller.ts';
import { once } from '../../lib/once.ts';
import type { AccessToken } from '../../store/records.ts';
import { accessTokenRef } from './access-token.ts';
import { requireUserId } from './system-token.ts';

function accessTokenConnectionRef(graph: Graph) {
  return connectionType(graph, 'AccessToken', graph.use(accessTokenRef), 'access tokens');
}

export function addAccessTokens({ builder, use }: Graph): void {
  builder.queryField('accessTokens', (t) =>
    t.field({
      type: use(accessTokenConnectionRef),
      nullable: true,
      description:
        'Tokens created through this API with the same system token and `new-api-user` (required), newest first, without secrets. Reads records only: a rejected credential gets an empty list.',
      args: {
        first: t.arg.int({ defaultValue: defaultPageSize, description: 'Page size, up to 100.' }),
        after: t.arg.string({ description: 'Return items after this cursor (older).' }),
      },
      resolve: (_root, { first, after }, context) => listTokens(context, first ?? defaultPageSize, after),
    }),
  );
}

/** The name of the list in cursors. */
const list = 'tokens';

async function listTokens(
  context: Context,
  first: number,
  cursor: string | null | undefined,
): Promise<Connection<AccessToken>> {
  const caller = requireCaller(context);
  if (caller.heldKey) requirePermission(caller, 'accessTokens', 'accessTokens');
  else requireUserId('accessTokens', caller);
  const { owner } = caller;
  const { store } = context.engine;
  const limit = checkPageSize('first', first);
  const after = unpackPosition(list, cursor, 'after');
  // One extra record shows whether there is another page.
  const found = await store.listAccessTokens(owner, { limit: limit + 1, after });
  const edges = found.slice(0, limit).map((node) => ({ cursor: packPosition(list, node), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > limit,
      hasPreviousPage: after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    count: once(async () => toCount(await store.countAccessTokens(owner, maxCount + 1))),
  };
}
