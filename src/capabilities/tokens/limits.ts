import { z } from 'zod';
import type { CrossRule, ExpressedRule, InputLimits } from '../../generations/check-input.ts';
import { has, hasValue, matches, when } from '../../generations/rule-schemas.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import { readNetwork } from '../../lib/networks.ts';
import type { CreateAccessTokenInput } from './inputs.ts';
import { findUnits, unitsPerCurrencyUnit } from './quota.ts';

const listed = (noun: string) =>
  z
    .string()
    .refine(
      ...matches(
        /^(?=[\s\S]*\S)[^,\n\r]*$/,
        `Must be ${noun}, without comma or line break.`,
        'no comma, no line break, not empty',
      ),
    );

const atLeastZero = z.custom<number | bigint>(
  (value) => (typeof value === 'number' || typeof value === 'bigint') && value >= 0,
  {
    error: 'Must be at least 0.',
    params: { limit: 'at least 0', schema: { minimum: 0, pattern: String.raw`^(\d+|-0+)$` } },
  },
);

/** In whole currency units. The number of quota units stays exact. */
const maxAmount = Math.floor(Number.MAX_SAFE_INTEGER / unitsPerCurrencyUnit);

const members = z.object({
  name: z.string().trim().min(1),
  quota: z.object({
    units: atLeastZero.nullish(),
    amount: z
      .number()
      .min(0)
      .max(maxAmount)
      .refine((amount) => amount < 0 || amount > maxAmount || findUnits(amount) !== undefined, {
        error: 'Must be a whole number of quota units: a multiple of 0.000002.',
        params: { limit: 'a multiple of 0.000002' },
      })
      .nullish(),
    isUnlimited: z
      .boolean()
      .refine((isUnlimited) => isUnlimited, {
        error: 'Must be true. To limit the quota, use units or amount instead.',
        params: { limit: 'true', schema: { enum: [true] } },
      })
      .nullish(),
  }),
  allowedModels: z.array(listed('a model name')).min(1).nullish(),
  allowedIps: z
    .array(
      z.string().refine((text) => readNetwork(text) !== undefined, {
        error: 'Must be an IP address, or a network such as 10.0.0.0/8.',
        params: {
          limit: 'IP address or CIDR network',
          schema: { pattern: String.raw`^[\da-fA-F:.]{2,45}(%[\dA-Za-z.:-]+)?(/\d{1,3})?$` },
          isPart: true,
        },
      }),
    )
    // The gateway would take an empty list for no restriction.
    .min(1)
    .nullish(),
  groups: z.array(listed('a group name')).nullish(),
});

const limitsNeedModels: ExpressedRule<CreateAccessTokenInput> = {
  schema: when(hasValue('enforceAllowedModels', true), has('allowedModels', { type: 'array' })),
  check({ enforceAllowedModels, allowedModels }, report) {
    if (enforceAllowedModels && !allowedModels) {
      report(['allowedModels'], {
        message: 'enforceAllowedModels needs allowedModels, or the token cannot use any model.',
        limit: 'at least 1 item',
      });
    }
  },
};

export function createAccessTokenLimits(now: number): InputLimits<CreateAccessTokenInput> {
  const expiresLater: CrossRule<CreateAccessTokenInput> = ({ expiresAt }, report) => {
    // Whole seconds are sent: a time within the current second has passed.
    if (expiresAt !== null && expiresAt !== undefined && Math.floor(expiresAt / 1000) * 1000 <= now) {
      report(['expiresAt'], {
        message: 'Must be in the future. Omit it for a token that never expires.',
        limit: 'in the future',
        received: new Date(expiresAt).toISOString(),
      });
    }
  };
  return {
    members,
    rules: {
      'enforceAllowedModels needs allowedModels.': limitsNeedModels,
      'expiresAt must be in the future.': expiresLater,
    },
    ...declaredBy({
      name: 'name',
      quota: 'remain_quota',
      expiresAt: 'expired_time',
      'quota.isUnlimited': 'unlimited_quota',
      enforceAllowedModels: 'model_limits_enabled',
      allowedModels: 'model_limits',
      allowedIps: 'allow_ips',
      groups: 'group',
    }),
  };
}
