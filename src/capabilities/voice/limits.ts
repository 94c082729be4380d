import { z } from 'zod';
import type { CrossRule, InputLimits } from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import type { CloneVoiceInput } from './inputs.ts';

/** The gateway's document allows a further separator without naming it. This code assumes the underscore. */
const voiceId = limitedText({ min: 8, max: 256 })
  .refine((text) => /^([A-Za-z]|$)/.test(text), {
    error: 'Must begin with a letter.',
    params: { limit: 'first a letter' },
  })
  .refine((text) => /^[A-Za-z\d_-]*$/.test(text), {
    error: 'Must consist of letters, digits, - and _.',
    params: { limit: 'letters, digits, - and _' },
  })
  .refine((text) => !/[_-]$/.test(text), {
    error: 'Must not end with - or _.',
    params: { limit: 'last a letter or digit' },
  });

const samplesAreWhole: CrossRule<CloneVoiceInput> = ({ sample }, report) => {
  if (!sample) return;
  const { fileId, transcript } = sample;
  const limit = 'fileId and transcript';
  if (fileId === null || fileId === undefined)
    report(['sample', 'fileId'], { message: 'sample needs fileId.', limit });
  if (!transcript?.trim())
    report(['sample', 'transcript'], {
      message: 'sample needs transcript, the words of the sample.',
      limit,
      received: transcript ?? undefined,
    });
};

/** The gateway's document, "Limits", row Voice clone. The gateway stores the audio and checks it. */
export const cloneVoiceLimits: InputLimits<CloneVoiceInput> = {
  members: z.object({
    voiceId,
    previewText: limitedText({ max: 1000 }).nullish(),
    previewModel: z.string().trim().min(1).nullish(),
    language: z.string().trim().min(1).nullish(),
  }),
  rules: [samplesAreWhole],
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
