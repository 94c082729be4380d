import { builder } from '../../graphql/builder.ts';
import { createArguments, CreateGenerationResultRef } from '../../graphql/create.ts';
import { createTask } from '../../graphql/create-task.ts';
import { registerTaskKind } from '../../tasks/task-kinds.ts';
import { queueImagePath, readQueued, toQueueImageBody } from './client.ts';
import { QueueImageInput } from './inputs.ts';
import { queueImageLimits } from './limits.ts';
import { decodeAcknowledgement } from './wire.ts';

registerTaskKind({ kind: 'QUEUED_IMAGE', readOne: readQueued, cancelMethod: 'PUT' });

builder.mutationField('queueImage', (t) =>
  t.field({
    type: CreateGenerationResultRef,
    description: 'Puts an image generation into the queue (POST /hostb/flux-lora). Follow its task.',
    args: {
      input: t.arg({ type: QueueImageInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(
        { args, context, info },
        {
          kind: 'QUEUED_IMAGE',
          input,
          limits: queueImageLimits,
          prompt: input.prompt,
          path: queueImagePath,
          toBody: toQueueImageBody,
          decode: decodeAcknowledgement,
        },
      ),
  }),
);
