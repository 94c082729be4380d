import { z } from 'zod';

const common = {
  prompt: z.string(),
  num_inference_steps: z.int().min(1).max(50).optional(),
  guidance_scale: z.number().min(0).max(35).optional(),
  num_images: z.int().min(1).max(4).optional(),
  enable_safety_checker: z.boolean().optional(),
  output_format: z.enum(['jpeg', 'png']).optional(),
};

export const generationRequest = z.strictObject({
  ...common,
  image_size: z.enum(['square', 'square pro', 'landscape_4_3', 'landscape_16_9', 'portrait_3_4']).optional(),
});

export const inpaintingRequest = z.strictObject({
  ...common,
  image_url: z.string(),
  mask_url: z.string(),
  strength: z.number().min(0.01).max(1).optional(),
});

/** For requests without a size. */
export const defaultImageSize = 'landscape_4_3';

export const imageSizes = {
  square: { width: 512, height: 512 },
  'square pro': { width: 1024, height: 1024 },
  landscape_4_3: { width: 1024, height: 768 },
  landscape_16_9: { width: 1024, height: 576 },
  portrait_3_4: { width: 768, height: 1024 },
} as const;
