import { z } from 'zod';
import type { InputLimits } from '../../generations/check-input.ts';
import { imageSource } from '../../generations/image-source.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import { queueImageNames, queueInpaintingNames } from './client.ts';
import type { QueueImageInput, QueueInpaintingInput } from './inputs.ts';

const common = {
  prompt: z.string().trim().min(1),
  steps: z.number().min(1).max(50).nullish(),
  guidanceScale: z.number().min(0).max(35).nullish(),
  count: z.number().min(1).max(4).nullish(),
};

/** The gateway's document, "Limits", row Queued image requests. */
export const queueImageLimits: InputLimits<QueueImageInput> = {
  members: z.object(common),
  ...declaredBy(queueImageNames),
};

/** `jpg` and `jpeg` are the same type. */
const inpaintingTypes = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;

/** The same row of the document. Its section "Queued image requests" lists the file types of both URLs. */
export const queueInpaintingLimits: InputLimits<QueueInpaintingInput> = {
  members: z.object({
    ...common,
    image: imageSource(inpaintingTypes),
    mask: imageSource(inpaintingTypes),
    strength: z.number().min(0.01).max(1).nullish(),
  }),
  ...declaredBy(queueInpaintingNames),
};
