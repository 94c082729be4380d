import type { Capability } from '../../graphql/capability.ts';
import { imageSetOutput } from '../../graphql/image-set.ts';
import type { TaskKind } from '../../tasks/task-kinds.ts';
import { readQueued } from './client.ts';
import { imageQueueOperations } from './operations.ts';
import { addImageQueue } from './schema.ts';
import { queueImageLimits, queueInpaintingLimits } from './limits.ts';

const queued: TaskKind = { readOne: readQueued, takesModel: true, cancelMethod: 'PUT' };

export const imageQueue: Capability = {
  name: 'image-queue',
  kinds: {
    QUEUED_IMAGE: { description: 'Queued image.', output: imageSetOutput, task: queued },
    QUEUED_INPAINTING: {
      description: 'Queued inpainting.',
      output: imageSetOutput,
      task: queued,
    },
  },
  inputs: { QueueImageInput: queueImageLimits, QueueInpaintingInput: queueInpaintingLimits },
  operations: imageQueueOperations,
  extend: addImageQueue,
};
