import type { Capability } from '../../graphql/capability.ts';
import { voiceOperations } from './operations.ts';
import { addCloneVoice, addVoiceQueries } from './schema.ts';
import { voiceNode } from './types.ts';

export const voice: Capability = {
  name: 'voice',
  nodes: [voiceNode],
  operations: voiceOperations,
  extend(graph) {
    addVoiceQueries(graph);
    addCloneVoice(graph);
  },
};
