import type { Capability } from '../../graphql/capability.ts';
import { addGenerateContent } from './schema.ts';
import { contentResponseOutput } from './types.ts';
import { generateContentLimits } from './limits.ts';

const summary = {
  model: 'gemini-2.5-flash',
  contents: [{ parts: [{ text: 'Sum up https://example.com in one sentence.' }], role: 'user' }],
  urlContext: true,
};

export const content: Capability = {
  name: 'content',
  kinds: {
    CONTENT: {
      description: 'Content in the native format.',
      output: contentResponseOutput,
    },
  },
  inputs: { GenerateContentInput: generateContentLimits },
  operations: [{ name: 'generate-content', variables: { input: summary } }],
  extend: addGenerateContent,
};
