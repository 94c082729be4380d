import type { Capability } from '../../graphql/capability.ts';
import { accessTokenNode } from './access-token.ts';
import { addAccessTokens } from './list-tokens.ts';
import { tokenOperations } from './operations.ts';
import { addCreateAccessToken } from './schema.ts';
import { createAccessTokenLimits } from './limits.ts';

export const tokens: Capability = {
  name: 'tokens',
  nodes: [accessTokenNode],
  inputs: {
    // The time matters only to a rule across members.
    get CreateAccessTokenInput() {
      return createAccessTokenLimits(0);
    },
  },
  operations: tokenOperations,
  extend(graph) {
    addCreateAccessToken(graph);
    addAccessTokens(graph);
  },
};
