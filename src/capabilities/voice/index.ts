import type { Capability } from '../../graphql/capability.ts';
import { packId } from '../../lib/ids.ts';
import { addCloneVoice, addVoiceQueries } from './schema.ts';
import { voiceNode } from './types.ts';
import { cloneVoiceLimits } from './limits.ts';

const clone = {
  fileId: 1,
  voiceId: 'lighthouse-keeper-1',
  previewText: 'Mind the stairs.',
  previewModel: 'speech-2.6-hd',
};

export const voice: Capability = {
  name: 'voice',
  nodes: [voiceNode],
  inputs: { CloneVoiceInput: cloneVoiceLimits },
  operations: [
    { name: 'voices', variables: { first: 20 } },
    {
      name: 'find-voices',
      variables: { first: 20, filter: { languages: ['en'], genders: ['female'], query: 'warm' } },
    },
    // A voice of the sandbox's catalog.
    { name: 'voice', variables: { id: packId('voice', ['preset', 'en-us-ava']) } },
    { name: 'clone-voice', variables: { input: clone, idempotencyKey: 'my-first-voice' } },
  ],
  extend(graph) {
    addVoiceQueries(graph);
    addCloneVoice(graph);
  },
};
