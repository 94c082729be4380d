import type { Capability } from '../../graphql/capability.ts';
import { contentOperations } from './operations.ts';
import { addGenerateContent } from './schema.ts';
import { contentResponseOutput } from './types.ts';
import { generateContentLimits } from './limits.ts';

export const content: Capability = {
  name: 'content',
  kinds: {
    CONTENT: {
      description: 'Content in the native format.',
      output: contentResponseOutput,
    },
  },
  inputs: { GenerateContentInput: generateContentLimits },
  operations: contentOperations,
  extend: addGenerateContent,
};
