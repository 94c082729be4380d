import type { Graph } from '../../graphql/graph.ts';
import { nodeRef } from '../../graphql/node.ts';
import type { NodeType } from '../../graphql/node-types.ts';
import type { AccessToken } from '../../store/records.ts';
import { unitsPerCurrencyUnit } from './limits.ts';

export function accessTokenRef({ builder, use }: Graph) {
  return builder.objectRef<AccessToken>('AccessToken').implement({
    description: 'An access token that was made through this API, as it was made. Its secret is not kept.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Opaque and URL-safe. Not the secret.' }),
      name: t.exposeString('name', {
        description: 'The name that it was given, by which people tell tokens apart.',
      }),
      quotaUnits: t.expose('quotaUnits', {
        type: 'BigInt',
        nullable: true,
        description:
          'What it was given to spend, in quota units, 500000 of which are one currency unit; null when unlimited.',
      }),
      quotaAmount: t.float({
        nullable: true,
        description: 'What it was given to spend, in currency units; null when unlimited.',
        resolve: ({ quotaUnits }) =>
          quotaUnits === undefined ? null : Number(quotaUnits) / unitsPerCurrencyUnit,
      }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When it stops working; null: never.',
      }),
      modelLimits: t.exposeStringList('modelLimits', {
        nullable: true,
        description:
          'The only models that it may use, unless it was made with `modelLimitsEnabled: false`; null: all.',
      }),
      allowIps: t.exposeStringList('allowIps', {
        description: 'The only IP addresses or networks (CIDR) that may use it; empty: all.',
      }),
      groups: t.exposeStringList('groups', {
        description:
          "Its own groups, by which the gateway chooses the upstream channel; empty: the gateway's default.",
      }),
      collection: t.exposeID('collection', {
        nullable: true,
        description: 'The conversation or project that `createToken` named.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    }),
  });
}

export const accessTokenNode: NodeType = {
  prefix: 'token',
  typeName: 'AccessToken',
  find: (id, context) => context.loaders.accessToken.load(id),
};
