import type { ExampleOperation } from '../../graphql/capability.ts';

const speech = {
  text: 'The lamp is lit.<#0.8#>Good evening, and mind the stairs.',
  voice: { id: 'en-us-ava' },
};

export const speechOperations: readonly ExampleOperation[] = [
  { name: 'create-speech', variables: { input: speech } },
];
