import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { speechPath, toSpeechBody } from './client.ts';
import { createSpeechInput } from './inputs.ts';
import { speechLimits } from './limits.ts';
import { decodeSpeechAcknowledgement } from './wire.ts';

export function addCreateSpeech(graph: Graph): void {
  addCreate(graph, 'createSpeech', {
    description: 'Creates speech from text.',
    input: createSpeechInput,
    create: createTask({
      kind: 'SPEECH',
      limits: speechLimits,
      prompt: ({ text }) => text,
      path: speechPath,
      toBody: toSpeechBody,
      decode: decodeSpeechAcknowledgement,
    }),
  });
}
