import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { toBody } from '../../generations/wire-names.ts';
import { queueImageNames, queueImagePath, queueInpaintingNames, queueInpaintingPath } from './client.ts';
import { queueImageInput, queueInpaintingInput } from './inputs.ts';
import { queueImageLimits, queueInpaintingLimits } from './limits.ts';
import { decodeAcknowledgement } from './wire.ts';

export function addImageQueue(graph: Graph): void {
  addCreate(graph, 'queueImage', {
    description: 'Queues an image generation.',
    input: queueImageInput,
    create: createTask({
      kind: 'QUEUED_IMAGE',
      limits: queueImageLimits,
      prompt: ({ prompt }) => prompt,
      path: queueImagePath,
      toBody: (input) => toBody(queueImageNames, input),
      decode: decodeAcknowledgement,
    }),
  });
  addCreate(graph, 'queueInpainting', {
    description: 'Queues an inpainting.',
    input: queueInpaintingInput,
    create: createTask({
      kind: 'QUEUED_INPAINTING',
      limits: queueInpaintingLimits,
      prompt: ({ prompt }) => prompt,
      path: queueInpaintingPath,
      toBody: (input) => toBody(queueInpaintingNames, input),
      decode: decodeAcknowledgement,
    }),
  });
}
