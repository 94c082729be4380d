import type { ExampleOperation } from '../../graphql/capability.ts';

const summary = {
  model: 'gemini-2.5-flash',
  contents: [{ parts: [{ text: 'Sum up https://example.com in one sentence.' }], role: 'user' }],
  urlContext: true,
};

export const contentOperations: readonly ExampleOperation[] = [
  { name: 'generate-content', variables: { input: summary } },
];
