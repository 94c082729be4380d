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

const samplesAreWhole: CrossRule<CloneVoiceInput> = ({ clonePrompt }, report) => {
  if (!clonePrompt) return;
  const { promptAudio, promptText } = clonePrompt;
  const limit = 'promptAudio and promptText';
  if (promptAudio === null || promptAudio === undefined)
    report(['clonePrompt', 'promptAudio'], { message: 'clonePrompt needs promptAudio.', limit });
  if (!promptText?.trim())
    report(['clonePrompt', 'promptText'], {
      message: 'clonePrompt needs promptText, the words of the sample.',
      limit,
      received: promptText ?? undefined,
    });
};

/** The gateway's document, "Limits", row Voice clone. The gateway stores the audio and checks it. */
export const cloneVoiceLimits: InputLimits<CloneVoiceInput> = {
  members: z.object({
    voiceId,
    text: limitedText({ max: 1000 }).nullish(),
    model: z.string().trim().min(1).nullish(),
    languageBoost: z.string().trim().min(1).nullish(),
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
};
