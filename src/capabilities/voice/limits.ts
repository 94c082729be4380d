import { z } from 'zod';
import type { InputLimits } from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import type { CloneVoiceInput } from './inputs.ts';

/** The arguments of `refine` for text that must match a pattern without flags. */
function matches(pattern: RegExp, error: string, limit: string) {
  const params = { limit, schema: { pattern: pattern.source } };
  return [(text: string) => pattern.test(text), { error, params }] as const;
}

/** The gateway's document allows a further separator without naming it. This code assumes the underscore. */
const voiceId = limitedText({ min: 8, max: 256 })
  .refine(...matches(/^([A-Za-z]|$)/, 'Must begin with a letter.', 'first a letter'))
  .refine(
    ...matches(/^[A-Za-z\d_-]*$/, 'Must consist of letters, digits, - and _.', 'letters, digits, - and _'),
  )
  .refine(...matches(/(^|[^_-])$/, 'Must not end with - or _.', 'last a letter or digit'));

/** The gateway's document, "Limits", row Voice clone. The gateway stores the audio and checks it. */
export const cloneVoiceLimits: InputLimits<CloneVoiceInput> = {
  members: z.object({
    voiceId,
    previewText: limitedText({ max: 1000 }).nullish(),
    previewModel: z.string().trim().min(1).nullish(),
    language: z.string().trim().min(1).nullish(),
    sample: z.object({ transcript: z.string().trim().min(1) }).nullish(),
  }),
  rules: {},
  declared: [
    'file_id',
    'voice_id',
    'clone_prompt',
    'text',
    'model',
    'language_boost',
    'need_noise_reduction',
    'need_volume_normalization',
    'aigc_watermark',
  ],
  renamed: {
    clone_prompt: 'sample',
    text: 'previewText',
    model: 'previewModel',
    language_boost: 'language',
    need_noise_reduction: 'reduceNoise',
    need_volume_normalization: 'normalizeVolume',
    aigc_watermark: 'watermark',
  },
};
