import type { Graph } from '../../graphql/graph.ts';

function tokenQuotaInput({ builder }: Graph) {
  return builder.inputType('TokenQuotaInput', {
    description: 'How much a token may spend.',
    isOneOf: true,
    fields: (t) => ({
      units: t.field({
        type: 'BigInt',
        description: 'Quota units, from 0; 500000 are one currency unit. Wire name `remain_quota`.',
      }),
      amount: t.float({
        description:
          'Currency units: 0, or enough for one quota unit (0.000002); rounded to whole quota units. Wire name `remain_quota`.',
      }),
      unlimited: t.boolean({
        description: 'No limit. Only `true` is accepted. Wire name `unlimited_quota`.',
      }),
    }),
  });
}

export function createTokenInput({ builder, use }: Graph) {
  return builder.inputType('CreateTokenInput', {
    description:
      'An access token for the gateway (POST /api/token/). All eight members of its request are sent, empty where absent.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'A name by which people tell tokens apart; not empty.' }),
      quota: t.field({ type: use(tokenQuotaInput), required: true, description: 'How much it may spend.' }),
      expiresAt: t.field({
        type: 'DateTime',
        description:
          'When it stops working, in the future and to the second; never when absent. Wire name `expired_time` (−1 for never).',
      }),
      modelLimits: t.stringList({
        description:
          'The only models that it may use, at least one; all when absent. Wire name `model_limits`, joined by commas.',
      }),
      modelLimitsEnabled: t.boolean({
        description:
          'Whether `modelLimits` is in force; true when it is given. Wire name `model_limits_enabled`.',
      }),
      allowIps: t.stringList({
        description:
          'The only IP addresses or networks (CIDR) that may use it; all when absent. Wire name `allow_ips`, joined by line breaks.',
      }),
      group: t.stringList({
        description:
          "The token's own groups, by which the gateway chooses the upstream channel; the gateway's default when absent. On the wire joined by commas.",
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body, such as `mj_image_mode`, `mj_custom_proxy`, `selected_groups`: a JSON object with their wire names. What has a field of its own here is refused.',
      }),
    }),
  });
}

export type CreateTokenInput = ReturnType<typeof createTokenInput>['$inferInput'];
