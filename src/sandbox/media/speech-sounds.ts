import type { SpeechRecipe } from './recipes.ts';

/** A syllable, a beep, or silence. */
export interface Sound {
  readonly kind: 'syllable' | 'beep' | 'silence';
  readonly seconds: number;
  /** Where the pitch begins and ends. */
  readonly hertz: readonly [number, number];
  /** Any number: chooses the vowel. */
  readonly vowel: number;
}

/** Longer texts end here: nobody waits for more to be made. */
const maxSeconds = 300;

/** How long a speech sounds, in seconds. */
export function measureSpeech(recipe: SpeechRecipe): number {
  return listSounds(recipe).reduce((sum, { seconds }) => sum + seconds, 0);
}

/** The sounds of a speech, one after the other: nobody understands them, but their length and melody are believable. */
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

const syllableSeconds = 0.21;
const wordGapSeconds = 0.04;
const commaSeconds = 0.16;
const sentenceSeconds = 0.38;

/** How far the voice goes up and down, in semitones, and how much higher it is. */
const melodies: Readonly<Record<SpeechRecipe['emotion'], { readonly swing: number; readonly lift: number }>> =
  {
    happy: { swing: 4, lift: 2 },
    sad: { swing: 1, lift: -2 },
    angry: { swing: 3, lift: 1 },
    fearful: { swing: 3, lift: 3 },
    disgusted: { swing: 2, lift: -1 },
    surprised: { swing: 6, lift: 3 },
    calm: { swing: 2, lift: 0 },
  };

// A character that is a syllable by itself; a word; marks; space.
const wideScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const tokens = new RegExp(
  `[${wideScripts}]|(?:(?![${wideScripts}])[\\p{L}\\p{M}\\p{N}'’])+|[.!?。！？\\n]+|[,;:，；：、—-]+|\\s+`,
  'gu',
);

function* speak({ parts, hertz, speed, emotion, isMarked }: SpeechRecipe): Generator<Sound> {
  const { swing, lift } = melodies[emotion];
  const silence = (seconds: number): Sound => ({ kind: 'silence', seconds, hertz: [0, 0], vowel: 0 });
  yield silence(0.05);
  let count = 0;
  for (const part of parts) {
    // How long a pause is does not depend on how fast the rest is spoken.
    if (typeof part === 'number') yield silence(part);
    else {
      for (const [token] of part.matchAll(tokens)) {
        const kind = classify(token);
        if (kind !== 'word') {
          yield silence(gaps[kind] / speed);
          continue;
        }
        for (const vowel of listVowels(token)) {
          const bend = (step: number): number =>
            hertz * 2 ** ((lift + swing * Math.sin(step * 0.7 + (step % 5) * 0.3)) / 12);
          yield {
            kind: 'syllable',
            seconds: syllableSeconds / speed,
            hertz: [bend(count), bend(count + 1)],
            vowel,
          };
          count += 1;
        }
      }
    }
  }
  yield silence(0.2);
  if (!isMarked) return;
  for (const beep of [880, 880, 1175, 880]) {
    yield { kind: 'beep', seconds: 0.09, hertz: [beep, beep], vowel: 0 };
    yield silence(0.06);
  }
}

const gaps = { sentence: sentenceSeconds, comma: commaSeconds, space: wordGapSeconds } as const;

function classify(token: string): keyof typeof gaps | 'word' {
  if (/^[.!?。！？\n]/.test(token)) return 'sentence';
  if (/^[,;:，；：、—-]/.test(token)) return 'comma';
  return /^\s/.test(token) ? 'space' : 'word';
}

/** One number for each syllable of a word. */
function listVowels(word: string): number[] {
  const groups = word.match(/[aeiouyäöüáéíóúàèìòùâêîôûаеёиоуыэюя]+|\p{N}/giu);
  if (groups) return groups.map((group) => group.codePointAt(0) ?? 0);
  // A script without vowels, or one that is not known here: two letters to a syllable.
  const letters = Array.from(word);
  return letters.filter((_, index) => index % 2 === 0).map((letter) => letter.codePointAt(0) ?? 0);
}
