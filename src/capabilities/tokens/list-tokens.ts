import type { Graph } from '../../graphql/graph.ts';
import { connectionType, defaultPageSize, readPage } from '../../graphql/connection.ts';
import { requireCaller } from '../../graphql/context.ts';
import { requirePermission } from '../../gateway/caller.ts';
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
        'Tokens created through this API with the same system token and `new-api-user` (required), newest first, without secrets.',
      args: {
        first: t.arg.int({ defaultValue: defaultPageSize, description: 'Page size, up to 100.' }),
        after: t.arg.string({ description: 'Return items after this cursor (older).' }),
      },
      resolve(_root, { first, after }, context) {
        const caller = requireCaller(context);
        if (caller.heldKey) requirePermission(caller, 'accessTokens', 'accessTokens');
        else requireUserId('accessTokens', caller);
        const { owner } = caller;
        const { store } = context.engine;
        return readPage({
          list: 'tokens',
          first,
          after,
          read: (page) => store.listAccessTokens(owner, page),
          count: (limit) => store.countAccessTokens(owner, limit),
        });
      },
    }),
  );
}
