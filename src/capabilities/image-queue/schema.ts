import type { Graph } from '../../graphql/graph.ts';
import { createArguments, createGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { queueImagePath, queueInpaintingPath, toQueueImageBody, toQueueInpaintingBody } from './client.ts';
import { queueImageInput, queueInpaintingInput } from './inputs.ts';
import { queueImageLimits, queueInpaintingLimits } from './limits.ts';
import { decodeAcknowledgement } from './wire.ts';

export function addImageQueue({ builder, use }: Graph): void {
  builder.mutationFields((t) => ({
    queueImage: t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Queues an image generation.',
      args: {
        input: t.arg({ type: use(queueImageInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createTask(toCreateCall(args, context, info), {
          kind: 'QUEUED_IMAGE',
          input,
          limits: queueImageLimits,
          prompt: input.prompt,
          path: queueImagePath,
          toBody: toQueueImageBody,
          decode: decodeAcknowledgement,
        }),
    }),
    queueInpainting: t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Queues an inpainting.',
      args: {
        input: t.arg({ type: use(queueInpaintingInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createTask(toCreateCall(args, context, info), {
          kind: 'QUEUED_INPAINTING',
          input,
          limits: queueInpaintingLimits,
          prompt: input.prompt,
          path: queueInpaintingPath,
          toBody: toQueueInpaintingBody,
          decode: decodeAcknowledgement,
        }),
    }),
  }));
}
