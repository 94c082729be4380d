import { builder } from '../../graphql/builder.ts';
import { NodeRef, registerNode } from '../../graphql/node.ts';
import type { AccessToken } from '../../store/records.ts';
import { unitsPerCurrencyUnit } from './limits.ts';

export const AccessTokenRef = builder.objectRef<AccessToken>('AccessToken').implement({
  description: 'An access token that was made through this API, as it was made. Its secret is not kept.',
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque and URL-safe. Not the secret.' }),
    name: t.exposeString('name', { description: 'For people.' }),
    quotaUnits: t.expose('quotaUnits', {
      type: 'BigInt',
      nullable: true,
      description: 'Quota units that it was given, 500000 to the currency unit; null when unlimited.',
    }),
    quotaAmount: t.float({
      nullable: true,
      description: 'The same in currency units; null when unlimited.',
      resolve: ({ quotaUnits }) =>
        quotaUnits === undefined ? null : Number(quotaUnits) / unitsPerCurrencyUnit,
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'Null: never.' }),
    modelLimits: t.exposeStringList('modelLimits', {
      nullable: true,
      description: 'The only models that it may use; null: all.',
    }),
    allowIps: t.exposeStringList('allowIps', {
      description: 'The only addresses or networks that may use it; empty: all.',
    }),
    groups: t.exposeStringList('groups', { description: 'Its groups, which choose the upstream channel.' }),
    creationGroup: t.exposeID('creationGroup', {
      nullable: true,
      description: 'The conversation or project that the create named; not one of its groups.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

registerNode('token', {
  typeName: 'AccessToken',
  find: (id, context) => context.loaders.accessToken.load(id),
});
