import type { ExampleOperation } from '../../graphql/capability.ts';

const token = { name: 'front-end', quota: { amount: 2.5 }, allowedModels: ['gpt-4o'] };

export const tokenOperations: readonly ExampleOperation[] = [
  { name: 'create-access-token', variables: { input: token }, credential: 'system-token' },
  { name: 'access-tokens', variables: { first: 10 }, credential: 'system-token' },
];
