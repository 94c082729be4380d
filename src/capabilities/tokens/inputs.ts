import { builder } from '../../graphql/builder.ts';

const TokenQuotaInput = builder.inputType('TokenQuotaInput', {
  description: 'How much a token may spend.',
  isOneOf: true,
  fields: (t) => ({
    units: t.field({
      type: 'BigInt',
      description: 'Quota units, from 0; 500000 are one currency unit. Wire name `remain_quota`.',
    }),
    amount: t.float({ description: 'Currency units, to the nearest quota unit: 0, or enough for one.' }),
    unlimited: t.boolean({ description: 'Only `true`: no limit. Wire name `unlimited_quota`.' }),
  }),
});

export const CreateTokenInput = builder.inputType('CreateTokenInput', {
  description: 'An access token for the gateway.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'For people; not empty.' }),
    quota: t.field({ type: TokenQuotaInput, required: true, description: 'How much it may spend.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'To the second; never when absent. Wire name `expired_time` (−1 for never).',
    }),
    modelLimits: t.stringList({
      description:
        'The only models that it may use; all when absent. Wire name `model_limits`, joined by commas.',
    }),
    modelLimitsEnabled: t.boolean({
      description:
        'Whether `modelLimits` is in force; true when it is given. Wire name `model_limits_enabled`.',
    }),
    allowIps: t.stringList({
      description:
        'The only addresses or networks (CIDR) that may use it; all when absent. Wire name `allow_ips`, joined by line breaks.',
    }),
    group: t.stringList({
      description:
        "Groups, which choose the upstream channel; the gateway's default when absent. On the wire joined by commas.",
    }),
    extra: t.field({
      type: 'JSON',
      description:
        'An object of further members of the request body, such as `mj_image_mode`, `mj_custom_proxy`, `selected_groups`. Declared members are refused here.',
    }),
  }),
});

export type CreateTokenInput = typeof CreateTokenInput.$inferInput;
