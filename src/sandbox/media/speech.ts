import { encodeMp3 } from './mp3.ts';
import type { SpeechRecipe } from './recipes.ts';
import { listSounds, type Sound } from './speech-sounds.ts';

const sampleRate = 32_000;

/** A speech as MP3. */
export function renderSpeech(recipe: SpeechRecipe): Promise<Uint8Array> {
  return encodeMp3(synthesizeSpeech(recipe), sampleRate);
}

/** A speech as samples, from -1 to 1. */
export function synthesizeSpeech(recipe: SpeechRecipe): Float32Array {
  const sounds = listSounds(recipe);
  const lengths = sounds.map(({ seconds }) => Math.round(seconds * sampleRate));
  const samples = new Float32Array(lengths.reduce((sum, length) => sum + length, 0));
  const gain = 0.4 + 0.5 * recipe.loudness;
  let from = 0;
  for (const [index, sound] of sounds.entries()) {
    const length = lengths[index] ?? 0;
    if (sound.kind !== 'silence') addSound(samples.subarray(from, from + length), sound, gain);
    from += length;
  }
  return samples;
}

// Strength of each overtone, the ground tone first: the vowels ah, eh, ee, oh, oo in outline.
const vowels: readonly (readonly number[])[] = [
  [0.7, 0.9, 0.8, 0.5, 0.2, 0.1],
  [0.8, 0.9, 0.4, 0.2, 0.3, 0.2],
  [1, 0.4, 0.1, 0.1, 0.2, 0.4],
  [0.9, 1, 0.4, 0.1, 0.05, 0],
  [1, 0.5, 0.1, 0.05, 0, 0],
];
const beep = [1];

const tableSize = 1024;
const tables = new Map<readonly number[], Float32Array>();

function getTable(overtones: readonly number[]): Float32Array {
  const known = tables.get(overtones);
  if (known) return known;
  const total = overtones.reduce((sum, strength) => sum + strength, 0);
  const table = Float32Array.from({ length: tableSize }, (_, at) =>
    overtones.reduce(
      (sum, strength, index) =>
        sum + (strength / total) * Math.sin((2 * Math.PI * at * (index + 1)) / tableSize),
      0,
    ),
  );
  tables.set(overtones, table);
  return table;
}

/** Swells and fades, so that sounds join without a click. */
function addSound(samples: Float32Array, { kind, hertz, vowel }: Sound, gain: number): void {
  const table = getTable(kind === 'beep' ? beep : (vowels[vowel % vowels.length] ?? beep));
  const [first, last] = hertz;
  const fadeLength = Math.max(1, samples.length * 0.25);
  let phase = 0;
  for (let at = 0; at < samples.length; at += 1) {
    const fade = Math.min(1, (at + 1) / fadeLength, (samples.length - at) / fadeLength);
    samples[at] = gain * fade * (table[phase & (tableSize - 1)] ?? 0);
    phase += ((first + ((last - first) * at) / samples.length) * tableSize) / sampleRate;
  }
}
