import { z } from 'zod';
import type { InputLimits } from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import { matches } from '../../generations/rule-schemas.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import { cloneVoiceNames } from './client.ts';
import type { CloneVoiceInput } from './inputs.ts';

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
  ...declaredBy(cloneVoiceNames),
};
