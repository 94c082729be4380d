import { z } from 'zod';
import type { CrossRule, InputLimits } from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import { notBlank } from '../../generations/rule-schemas.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import type { CreateSpeechInput } from './inputs.ts';
import { pauseIssues } from './pauses.ts';

/**
 * For a word with Chinese characters, a replacement in pinyin has one syllable per character, each with its tone digit in
 * parentheses. Any other replacement has no parentheses. For other words, parentheses are ordinary text.
 */
function isPronunciation(entry: string): boolean {
  const slash = entry.indexOf('/');
  const [word, replacement] = [entry.slice(0, Math.max(0, slash)).trim(), entry.slice(slash + 1).trim()];
  if (word === '' || replacement === '') return false;
  const characters = word.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (characters === 0) return true;
  const syllable = /\([\p{Script=Latin}\p{M}:]+[1-5]\)/gu;
  const count = replacement.match(syllable)?.length ?? 0;
  const rest = replacement.replaceAll(syllable, '');
  if (/[()]/.test(rest)) return false;
  return count === 0 ? bareSyllables(rest) !== characters : count === characters;
}

/** The number of syllables with tones in a text without parentheses; 0 for any other text. */
function bareSyllables(text: string): number {
  const syllable = /[b-df-hj-np-tw-z]{0,2}[aeiouvü:]{1,4}[gnr]{0,2}\d/gi;
  return text.replaceAll(syllable, '').trim() === '' ? (text.match(syllable)?.length ?? 0) : 0;
}

const pausesAreBetweenTexts: CrossRule<CreateSpeechInput> = ({ text }, report) => {
  for (const issue of pauseIssues(text)) report(['text'], issue);
};

/** The gateway's document, "Limits", row Speech synthesis. "Shorter than 10000 characters" is at most 9999. */
export const speechLimits: InputLimits<CreateSpeechInput> = {
  members: z.object({
    text: limitedText({ min: 1, max: 9999 }).refine((text) => text === '' || text.trim() !== '', {
      error: 'Must contain text to speak.',
      params: { limit: 'not blank', schema: notBlank },
    }),
    voice: z.object({
      id: z.string().trim().min(1),
      speed: z.number().min(0.5).max(2).nullish(),
      volume: z.number().min(0).max(10).nullish(),
      pitch: z.number().min(-12).max(12).nullish(),
    }),
    pronunciations: z
      .array(
        z.string().refine(isPronunciation, {
          error:
            'Must be <word>/<replacement>, for a Chinese word with a syllable in parentheses for each character, its tone from 1 to 5, such as (chu3).',
          params: {
            limit: '<word>/<replacement>, a syllable with its tone for each Chinese character',
            schema: { pattern: String.raw`^\s*[^\s/][^/]*/[\s\S]*\S` },
            isPart: true,
          },
        }),
      )
      .nullish(),
    payload: limitedText({ max: 1_048_576 }).nullish(),
  }),
  rules: { 'Pauses in text must be well-formed and stand between spoken text.': pausesAreBetweenTexts },
  ...declaredBy({
    text: 'text',
    'voice.id': 'voice_setting_voice_id',
    'voice.speed': 'voice_setting_speed',
    'voice.volume': 'voice_setting_volume',
    'voice.pitch': 'voice_setting_pitch',
    'voice.emotion': 'voice_setting_emotion',
    pronunciations: 'pronunciation_dict_tone',
    payload: 'payload',
  }),
};
