import type { SpeechRecipe } from './recipes.ts';
import { speechSounds } from './speech.data.ts';

/** A syllable, a beep, or silence. */
export interface Sound {
  readonly seconds: number;
  /** The pitch at the start and at the end. */
  readonly hertz: readonly [number, number];
  /** The number of a vowel. Any number is valid. */
  readonly vowel: number | 'beep' | 'silence';
}

/** Limits the rendering time of long texts. */
const maxSeconds = 300;

/** The length of a speech in seconds. */
export function measureSpeech(recipe: SpeechRecipe): number {
  return listSounds(recipe).reduce((sum, { seconds }) => sum + seconds, 0);
}

/** The sounds of a speech, in order. They are not words, but have a believable length and melody. */
export function listSounds(recipe: SpeechRecipe): readonly Sound[] {
  const sounds: Sound[] = [];
  let rest = maxSeconds;
  for (const sound of speak(recipe)) {
    if (rest <= 0) break;
    sounds.push({ ...sound, seconds: Math.min(sound.seconds, rest) });
    rest -= sound.seconds;
  }
  return sounds;
}

// Tokens: a character that is a syllable, a word, marks, space.
const wideScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const tokens = new RegExp(
  `[${wideScripts}]|(?:(?![${wideScripts}])[\\p{L}\\p{M}\\p{N}'’])+|(?<sentence>[.!?。！？\\n]+)|(?<comma>[,;:，；：、—-]+)|(?<space>\\s+)`,
  'gu',
);

function* speak({ parts, hertz, speed, emotion, isMarked }: SpeechRecipe): Generator<Sound> {
  const { lengths, melodies, mark } = speechSounds;
  const { swing, lift } = melodies[emotion];
  const pitchAt = (step: number): number =>
    hertz * 2 ** ((lift + swing * Math.sin(step * 0.7 + (step % 5) * 0.3)) / 12);
  let step = 0;
  yield silence(0.05);
  for (const part of parts) {
    // Speed does not change the pauses of markers.
    if (typeof part === 'number') yield silence(part);
    else {
      for (const { 0: token, groups = {} } of part.matchAll(tokens)) {
        const gap = groups['sentence'] ? lengths.sentence : groups['comma'] ? lengths.comma : lengths.space;
        if (groups['sentence'] ?? groups['comma'] ?? groups['space']) yield silence(gap / speed);
        else {
          for (const vowel of listVowels(token)) {
            yield { vowel, seconds: lengths.syllable / speed, hertz: [pitchAt(step), pitchAt(step + 1)] };
            step += 1;
          }
        }
      }
    }
  }
  yield silence(0.2);
  for (const beep of isMarked ? mark : []) {
    yield { vowel: 'beep', seconds: 0.09, hertz: [beep, beep] };
    yield silence(0.06);
  }
}

function silence(seconds: number): Sound {
  return { vowel: 'silence', seconds, hertz: [0, 0] };
}

/** One number for each syllable of a word. */
function listVowels(word: string): readonly number[] {
  const syllables =
    word.match(/[aeiouyäöüáéíóúàèìòùâêîôûаеёиоуыэюя]+|\p{N}/giu) ??
    // A script without known vowels: two letters a syllable.
    Array.from(word).filter((_, index) => index % 2 === 0);
  return syllables.map((syllable) => syllable.codePointAt(0) ?? 0);
}
