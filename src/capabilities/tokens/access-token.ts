import { hasPermission } from '../../gateway/caller.ts';
import { requireCaller } from '../../graphql/context.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import { nodeRef } from '../../graphql/node.ts';
import type { NodeType } from '../../graphql/node-types.ts';
import type { AccessToken } from '../../store/records.ts';
import { unitsPerCurrencyUnit } from './quota.ts';
import { shared } from '../../graphql/shared-descriptions.ts';

export function accessTokenRef({ builder, use }: Graph) {
  return builder.objectRef<AccessToken>('AccessToken').implement({
    description: 'An access token with its values at creation. Its secret is not stored.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Opaque and URL-safe. Not the secret.' }),
      name: t.exposeString('name', {
        description: 'Display name.',
      }),
      quotaUnits: t.expose('quotaUnits', {
        type: 'BigInt',
        ...nullable('Quota in units; 500000 units are one currency unit. Null: unlimited.'),
      }),
      quotaAmount: t.float({
        ...nullable('Quota in currency units. Null: unlimited.'),
        resolve: ({ quotaUnits }) =>
          quotaUnits === undefined ? null : Number(quotaUnits) / unitsPerCurrencyUnit,
      }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', ...nullable('Expiry time. Null: never.') }),
      allowedModels: t.exposeStringList(
        'modelLimits',
        nullable('Null: all. Without effect if created with `enforceAllowedModels: false`.'),
      ),
      allowedIps: t.stringList({
        ...nullable('Addresses or networks (CIDR). Null: all.'),
        resolve: ({ allowIps }) => (allowIps.length > 0 ? allowIps : null),
      }),
      groups: t.exposeStringList('groups', {
        description: "Groups that select the upstream channel. Empty: the gateway's default.",
      }),
      collection: t.exposeID('collection', nullable(shared.collection)),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    }),
  });
}

export const accessTokenNode: NodeType = {
  prefix: 'token',
  typeName: 'AccessToken',
  find: async (id, context) =>
    hasPermission(requireCaller(context), 'accessTokens') ? context.loaders.accessToken.load(id) : undefined,
};
