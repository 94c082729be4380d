import type { RequestMembers } from './request-members.ts';

const token = {
  name: 'front-end',
  expiresAt: '2999-01-01T00:00:00Z',
  allowedModels: ['gpt-4o', 'seedream-4'],
  enforceAllowedModels: true,
  allowedIps: ['10.0.0.1', '10.1.0.0/16'],
  groups: ['default', 'vip'],
  extra: { mj_image_mode: 'm', mj_custom_proxy: 'p', selected_groups: ['a'] },
};

export const tokenRequests: readonly RequestMembers[] = [
  {
    endpoint: 7,
    method: 'POST',
    path: '/api/token/',
    field: 'createAccessToken',
    calls: [
      { input: { ...token, quota: { units: '9007199254740993' } } },
      { input: { ...token, quota: { amount: 2.5 } } },
      { input: { ...token, quota: { isUnlimited: true } } },
    ],
    members: {
      'header:new-api-user': { header: 'new-api-user' },
      name: 'input.name',
      remain_quota: { anyOf: ['input.quota.units', 'input.quota.amount'] },
      expired_time: 'input.expiresAt',
      unlimited_quota: 'input.quota.isUnlimited',
      model_limits_enabled: 'input.enforceAllowedModels',
      model_limits: 'input.allowedModels',
      allow_ips: 'input.allowedIps',
      group: 'input.groups',
      mj_image_mode: { extra: 'input.extra' },
      mj_custom_proxy: { extra: 'input.extra' },
      selected_groups: { extra: 'input.extra' },
    },
  },
];
