import type { ExampleOperation } from '../../graphql/capability.ts';
import { packId } from '../../lib/ids.ts';

const clone = {
  fileId: 1,
  voiceId: 'lighthouse-keeper-1',
  previewText: 'Mind the stairs.',
  previewModel: 'speech-2.6-hd',
};

export const voiceOperations: readonly ExampleOperation[] = [
  { name: 'voices', variables: { first: 20 } },
  {
    name: 'find-voices',
    variables: { first: 20, filter: { languages: ['en'], genders: ['female'], query: 'warm' } },
  },
  // A voice of the sandbox's catalog.
  { name: 'voice', variables: { id: packId('voice', ['preset', 'en-us-ava']) } },
  { name: 'clone-voice', variables: { input: clone, idempotencyKey: 'my-first-voice' } },
];
