import type { Graph } from '../../graphql/graph.ts';

function tokenQuotaInput({ builder }: Graph) {
  return builder.inputType('AccessTokenQuotaInput', {
    description: 'Quota.',
    isOneOf: true,
    fields: (t) => ({
      units: t.field({
        type: 'BigInt',
        description: 'From 0; 500000 are one currency unit.',
      }),
      amount: t.float({
        description: 'Currency units, in steps of 0.000002.',
      }),
      isUnlimited: t.boolean({
        description: 'No limit. Only `true` is accepted.',
      }),
    }),
  });
}

export function createAccessTokenInput({ builder, use }: Graph) {
  return builder.inputType('CreateAccessTokenInput', {
    description: 'An access token for the gateway.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'Display name. Not empty.' }),
      quota: t.field({ type: use(tokenQuotaInput), required: true }),
      expiresAt: t.field({
        type: 'DateTime',
        description: 'In the future, in whole seconds. Default: never.',
      }),
      allowedModels: t.stringList({
        description: 'Allowed models, at least one. Default: all.',
      }),
      enforceAllowedModels: t.boolean({
        description: 'Whether `allowedModels` applies. Default: true when it is set.',
      }),
      allowedIps: t.stringList({
        description: 'Addresses or networks (CIDR), at least one. Default: all.',
      }),
      groups: t.stringList({
        description: "Groups that select the upstream channel. Default: the gateway's.",
      }),
      extra: t.field({
        type: 'JSON',
        description: 'Other members, by wire name, such as `selected_groups`.',
      }),
    }),
  });
}

export type CreateAccessTokenInput = ReturnType<typeof createAccessTokenInput>['$inferInput'];
