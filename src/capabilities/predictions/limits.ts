import { z } from 'zod';
import type { InputLimits } from '../../generations/check-input.ts';
import type { CreateAnimationInput } from './inputs.ts';

/** The gateway's document, "Limits", row Animation. */
export const animationLimits: InputLimits<CreateAnimationInput> = {
  members: z.object({
    version: z.string().trim().min(1),
    promptStart: z.string().trim().min(1),
    promptEnd: z.string().trim().min(1),
    width: z.number().min(1).nullish(),
    height: z.number().min(1).nullish(),
    guidanceScale: z.number().min(1).max(20).nullish(),
    numInferenceSteps: z.number().min(1).max(500).nullish(),
    numAnimationFrames: z.number().min(2).max(50).nullish(),
    gifFramesPerSecond: z.number().min(1).max(50).nullish(),
    numInterpolationSteps: z.number().min(1).max(50).nullish(),
  }),
  rules: [],
  declared: [
    'prompt_start',
    'prompt_end',
    'width',
    'height',
    'gif_ping_pong',
    'output_format',
    'guidance_scale',
    'prompt_strength',
    'film_interpolation',
    'intermediate_output',
    'num_inference_steps',
    'num_animation_frames',
    'gif_frames_per_second',
    'num_interpolation_steps',
  ],
};
