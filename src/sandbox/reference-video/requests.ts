import { z } from 'zod';

const image = z.strictObject({ url: z.string().min(1) });

export const referenceVideoRequest = z.strictObject({
  // The gateway does not document the names of its two models.
  model: z.string().min(1),
  prompt: z.string(),
  resolution: z.enum(['480p', '720p']),
  aspect_ratio: z.enum(['1:1', '16:9', '9:16']),
  duration: z.int().min(1).max(15),
  image: image.optional(),
  reference_images: z.array(image).optional(),
});
