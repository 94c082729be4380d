import type { JsonObject } from '../../lib/json.ts';
import { withoutAbsent } from '../../generations/request-body.ts';
import type { CreateAccessTokenInput } from './inputs.ts';
import { findUnits } from './quota.ts';

/** The gateway requires all eight members. Absent ones are sent as their empty value. */
function toTokenBody(input: CreateAccessTokenInput): JsonObject {
  const isUnlimited = input.quota.isUnlimited === true;
  const declared = {
    name: input.name.trim(),
    remain_quota: isUnlimited ? 0 : toUnits(input.quota),
    expired_time:
      input.expiresAt === null || input.expiresAt === undefined ? -1 : Math.floor(input.expiresAt / 1000),
    unlimited_quota: isUnlimited,
    model_limits_enabled: input.enforceAllowedModels ?? Boolean(input.allowedModels),
    model_limits: (input.allowedModels ?? []).join(','),
    allow_ips: (input.allowedIps ?? []).join('\n'),
    group: (input.groups ?? []).join(','),
  };
  return withoutAbsent(declared, input.extra);
}

/** POST /api/token/ with the bare system token and `new-api-user`. */
export const tokenRequest = {
  path: '/api/token/',
  form: 'system-token',
  toBody: toTokenBody,
  acceptsText: true,
} as const;

export function toUnits({ units, amount }: CreateAccessTokenInput['quota']): number | bigint {
  // The limits have checked that the amount is a whole number of units.
  return units ?? findUnits(amount ?? 0) ?? 0;
}
