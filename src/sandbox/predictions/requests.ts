import { z } from 'zod';

export type AnimationRequest = z.output<typeof animationRequest>;
export type FillRequest = z.output<typeof fillRequest>;

const side = z.int().min(1);

export const animationRequest = z.strictObject({
  version: z.string().min(1),
  input: z.strictObject({
    prompt_start: z.string(),
    prompt_end: z.string(),
    width: side.default(512),
    height: side.default(512),
    gif_ping_pong: z.boolean().default(false),
    output_format: z.enum(['gif', 'mp4']).default('gif'),
    guidance_scale: z.number().min(1).max(20).default(7.5),
    prompt_strength: z.number().default(0.8),
    film_interpolation: z.boolean().default(true),
    intermediate_output: z.boolean().default(false),
    num_inference_steps: z.int().min(1).max(500).default(50),
    num_animation_frames: z.int().min(2).max(50).default(10),
    gif_frames_per_second: z.int().min(1).max(50).default(20),
    num_interpolation_steps: z.int().min(1).max(50).default(5),
  }),
});

export const fillRequest = z.strictObject({
  input: z.strictObject({
    image: z.string(),
    prompt: z.string(),
    mask: z.string().optional(),
    steps: z.int().min(15).max(50).default(50),
    // The gateway documents an integer, with a limit that is not one.
    guidance: z.number().min(1.5).max(100).default(60),
    outpaint: z.string().default('None'),
    output_format: z.enum(['jpg', 'jpeg', 'png', 'webp', 'gif']).default('jpg'),
    safety_tolerance: z.int().min(1).max(6).default(2),
    prompt_upsampling: z.boolean().default(false),
  }),
});
