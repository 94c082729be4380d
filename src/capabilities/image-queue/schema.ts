import { builder } from '../../graphql/builder.ts';
import { createArguments, CreateGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { registerTaskKind } from '../../tasks/task-kinds.ts';
import {
  queueImagePath,
  queueInpaintingPath,
  readQueued,
  toQueueImageBody,
  toQueueInpaintingBody,
} from './client.ts';
import { QueueImageInput, QueueInpaintingInput } from './inputs.ts';
import { queueImageLimits, queueInpaintingLimits } from './limits.ts';
import { decodeAcknowledgement } from './wire.ts';

for (const kind of ['QUEUED_IMAGE', 'QUEUED_INPAINTING'] as const)
  registerTaskKind({ kind, readOne: readQueued, cancelMethod: 'PUT' });

builder.mutationFields((t) => ({
  queueImage: t.field({
    type: CreateGenerationResultRef,
    description:
      'Puts the making of images into the queue (POST /hostb/flux-lora). Follow its task with `taskProgress`.',
    args: {
      input: t.arg({ type: QueueImageInput, required: true, description: 'The request.' }),
      ...createArguments,
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
    type: CreateGenerationResultRef,
    description:
      'Puts the repainting of a part of an image into the queue (POST /hostb/flux-lora/inpainting). Follow its task with `taskProgress`.',
    args: {
      input: t.arg({ type: QueueInpaintingInput, required: true, description: 'The request.' }),
      ...createArguments,
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
