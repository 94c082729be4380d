import type { Capability } from '../../graphql/capability.ts';
import { accessTokenNode } from './access-token.ts';
import { addAccessTokens } from './list-tokens.ts';
import { tokenOperations } from './operations.ts';
import { addCreateToken } from './schema.ts';

export const tokens: Capability = {
  name: 'tokens',
  nodes: [accessTokenNode],
  operations: tokenOperations,
  extend(graph) {
    addCreateToken(graph);
    addAccessTokens(graph);
  },
};
