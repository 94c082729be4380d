import { z } from 'zod';
import { codePoints } from '../../lib/text.ts';
import { wideInteger } from '../http/members.ts';

export type CloneRequest = z.output<typeof cloneRequest>;

export const cloneRequest = z.strictObject({
  file_id: wideInteger,
  voice_id: z
    .string()
    .min(8)
    .max(256)
    .regex(
      /^[A-Za-z][A-Za-z0-9_-]*[A-Za-z0-9]$/,
      'expected a letter, then letters, digits, "-" and "_", a letter or digit last',
    ),
  clone_prompt: z.strictObject({ prompt_audio: wideInteger, prompt_text: z.string() }).optional(),
  text: z
    .string()
    .refine((text) => codePoints(text) <= 1000, 'expected at most 1000 characters')
    .optional(),
  // The gateway documents four models, and an example sends another one of the same form.
  model: z
    .string()
    .regex(/^speech-[a-z0-9.]+-(hd|turbo)$/, 'expected speech-<version>-hd or speech-<version>-turbo')
    .optional(),
  language_boost: z.string().optional(),
  need_noise_reduction: z.boolean().optional(),
  need_volume_normalization: z.boolean().optional(),
  aigc_watermark: z.boolean().optional(),
});
