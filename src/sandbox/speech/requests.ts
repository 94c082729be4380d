import { z } from 'zod';
import { codePoints } from '../../lib/text.ts';
import { parsePauses } from './pauses.ts';
import { findPronunciationProblem } from './pronunciations.ts';

const emotions = ['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'calm'] as const;

/** Numbers are strings in this family's requests. */
export const speechRequest = z.strictObject({
  text: z
    .string()
    .refine((text) => codePoints(text) < 10_000, 'expected fewer than 10000 characters')
    .transform((text, context) => {
      const parsed = parsePauses(text);
      if ('parts' in parsed) return { text, parts: parsed.parts };
      context.addIssue({ code: 'custom', message: parsed.problem });
      return z.NEVER;
    }),
  voice_setting_voice_id: z.string().min(1),
  voice_setting_speed: numeral(0.5, 2).default(1),
  voice_setting_volume: numeral(0, 10).default(0),
  voice_setting_pitch: numeral(-12, 12).default(0),
  voice_setting_emotion: z.enum(emotions).default('calm'),
  pronunciation_dict_tone: z
    .string()
    .superRefine((text, context) => {
      const problem = findPronunciationProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .optional(),
  payload: z
    .string()
    .refine((text) => codePoints(text) <= 1_048_576, 'expected at most 1048576 characters')
    .optional(),
});

function numeral(low: number, high: number): z.ZodType<number, string> {
  return z
    .string()
    .refine((text) => {
      return /^-?\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) >= low && Number(text) <= high;
    }, `expected a number from ${low} to ${high}, written as a string`)
    .transform(Number);
}
