import { z } from 'zod';
import { wideInteger } from '../http/members.ts';

const frame = z.strictObject({
  img_id: wideInteger,
  duration: z.int().min(1).optional(),
  prompt: z.string().optional(),
});

export const transitionRequest = z.strictObject({
  multi_transition: z
    .array(frame)
    .min(2)
    .max(7)
    .superRefine((frames, context) => {
      for (const [index, { duration }] of frames.slice(0, -1).entries()) {
        if (duration !== undefined) continue;
        context.addIssue({
          code: 'custom',
          path: [index, 'duration'],
          message: 'is required except in the last item',
        });
      }
    }),
  model: z.enum(['v3.5', 'v4', 'v4.5', 'v5']),
  quality: z.enum(['360p', '540p', '720p', '1080p']),
  // The gateway does not declare it, but an example sends it.
  motion_mode: z.string().optional(),
});
