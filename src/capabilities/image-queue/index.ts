import type { Capability } from '../../graphql/capability.ts';
import { imageSetOutput } from '../../graphql/image-set.ts';
import type { TaskKind } from '../../tasks/task-kinds.ts';
import { readQueued } from './client.ts';
import { addImageQueue } from './schema.ts';
import { queueImageLimits, queueInpaintingLimits } from './limits.ts';

const queued: TaskKind = { readOne: readQueued, takesModel: true, cancelMethod: 'PUT' };

const picture = { prompt: 'A lighthouse at dusk, watercolor.', size: 'LANDSCAPE_4_3', count: 2 };
const inpainting = {
  image: 'https://example.com/lighthouse.png',
  mask: 'https://example.com/lighthouse-mask.png',
  prompt: 'A stormy sky.',
  strength: 0.85,
};

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
  operations: [
    { name: 'queue-image', variables: { input: picture } },
    { name: 'queue-inpainting', variables: { input: inpainting } },
  ],
  extend: addImageQueue,
};
