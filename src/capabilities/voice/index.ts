import type { Capability } from '../../graphql/capability.ts';
import { voiceOperations } from './operations.ts';
import { addCloneVoice, addVoiceQueries } from './schema.ts';
import { voiceNode } from './types.ts';
import { cloneVoiceLimits } from './limits.ts';

export const voice: Capability = {
  name: 'voice',
  nodes: [voiceNode],
  inputs: { CloneVoiceInput: cloneVoiceLimits },
  operations: voiceOperations,
  extend(graph) {
    addVoiceQueries(graph);
    addCloneVoice(graph);
  },
};
