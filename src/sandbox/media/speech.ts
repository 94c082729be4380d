import { encodeMp3 } from './mp3.ts';
import type { SpeechRecipe } from './recipes.ts';
import { listSounds } from './speech-sounds.ts';
import { speechSounds } from './speech.data.ts';
import { addTone, createWave } from './waves.ts';

const sampleRate = 32_000;

/** A speech as MP3. */
export function renderSpeech(recipe: SpeechRecipe): Promise<Uint8Array> {
  return encodeMp3(synthesizeSpeech(recipe), sampleRate);
}

/** A speech as samples, from -1 to 1. */
export function synthesizeSpeech(recipe: SpeechRecipe): Float32Array {
  const sounds = listSounds(recipe).map((sound) => ({
    ...sound,
    length: Math.round(sound.seconds * sampleRate),
  }));
  const samples = new Float32Array(sounds.reduce((sum, { length }) => sum + length, 0));
  const beep = createWave(speechSounds.beep);
  const vowels = speechSounds.vowels.map(createWave);
  const gain = 0.4 + 0.5 * recipe.loudness;
  let from = 0;
  for (const { vowel, length, hertz } of sounds) {
    const [first, last] = hertz;
    // Sounds fade in and out, so that they join without a click.
    const fadeLength = Math.max(1, length * 0.25);
    if (vowel !== 'silence') {
      addTone(samples.subarray(from, from + length), {
        wave: vowel === 'beep' ? beep : (vowels[vowel % vowels.length] ?? beep),
        sampleRate,
        loudnessAt: (at) => gain * Math.min(1, (at + 1) / fadeLength, (length - at) / fadeLength),
        hertzAt: (at) => first + ((last - first) * at) / length,
      });
    }
    from += length;
  }
  return samples;
}
