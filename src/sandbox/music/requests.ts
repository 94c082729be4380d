import { z } from 'zod';
import { codePoints } from '../../lib/text.ts';

const modelVersions = [
  'song-v5-5',
  'song-v5',
  'song-v4-5+',
  'song-v4-5',
  'song-v4-5-all',
  'song-v4',
  'song-v3-5',
] as const;
export type ModelVersion = (typeof modelVersions)[number];

export const songRequest = z.strictObject({
  gpt_description_prompt: z.string(),
  make_instrumental: z.boolean(),
  mv: z.enum(modelVersions),
});

/** The gateway's schema requires every member, but documents a default for `mv`. */
export const coverRequest = z.strictObject({
  mv: z.enum(modelVersions).default('song-v5'),
  make_instrumental: z.boolean(),
  prompt: atMost(3000),
  tags: atMost(200),
  title: z.string(),
  cover_clip_id: z.string(),
});

export const speedRequest = z.strictObject({
  clip_id: z.string(),
  speed: z.number().min(0.25).max(4),
  keep_pitch: z.boolean().optional(),
});

export const fetchRequest = z.strictObject({
  ids: z.array(z.string()),
  action: z.string(),
});

function atMost(characters: number): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => codePoints(text) <= characters, `expected at most ${characters} characters`);
}
