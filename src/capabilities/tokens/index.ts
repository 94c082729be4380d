import type { Capability } from '../../graphql/capability.ts';
import { accessTokenNode } from './access-token.ts';
import { addAccessTokens } from './list-tokens.ts';
import { addCreateAccessToken } from './schema.ts';
import { createAccessTokenLimits } from './limits.ts';

const token = { name: 'front-end', quota: { amount: 2.5 }, allowedModels: ['gpt-4o'] };

export const tokens: Capability = {
  name: 'tokens',
  nodes: [accessTokenNode],
  inputs: {
    // The time matters only to a rule across members.
    get CreateAccessTokenInput() {
      return createAccessTokenLimits(0);
    },
  },
  operations: [
    { name: 'create-access-token', variables: { input: token }, credential: 'system-token' },
    { name: 'access-tokens', variables: { first: 10 }, credential: 'system-token' },
  ],
  extend(graph) {
    addCreateAccessToken(graph);
    addAccessTokens(graph);
  },
};
