import type { Capability } from '../../graphql/capability.ts';
import { accessTokenNode } from './access-token.ts';
import { addAccessTokens } from './list-tokens.ts';
import { tokenOperations } from './operations.ts';
import { addCreateToken } from './schema.ts';
import { createTokenLimits } from './limits.ts';

export const tokens: Capability = {
  name: 'tokens',
  nodes: [accessTokenNode],
  inputs: {
    // The time matters only to a rule across members.
    get CreateTokenInput() {
      return createTokenLimits(0);
    },
  },
  operations: tokenOperations,
  extend(graph) {
    addCreateToken(graph);
    addAccessTokens(graph);
  },
};
