import { z } from 'zod';
import type { InputLimits } from '../../generations/check-input.ts';
import type { QueueImageInput } from './inputs.ts';

/** The gateway's document, "Limits", row Queued image requests. */
export const queueImageLimits: InputLimits<QueueImageInput> = {
  members: z.object({
    prompt: z.string().trim().min(1),
    numInferenceSteps: z.number().min(1).max(50).nullish(),
    guidanceScale: z.number().min(0).max(35).nullish(),
    numImages: z.number().min(1).max(4).nullish(),
  }),
  rules: [],
  declared: [
    'prompt',
    'image_size',
    'num_inference_steps',
    'guidance_scale',
    'num_images',
    'enable_safety_checker',
    'output_format',
  ],
};
