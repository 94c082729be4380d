import { expect, test } from 'vitest';
import type { SpeechRecipe } from '../../../src/sandbox/media/recipes.ts';
import { synthesizeSpeech } from '../../../src/sandbox/media/speech.ts';

const recipe: SpeechRecipe = {
  kind: 'speech',
  parts: ['one', 2, 'two'],
  hertz: 150,
  speed: 1,
  loudness: 0,
  emotion: 'calm',
  isMarked: false,
};

test('a pause is silent, and the speech around it is not', () => {
  const samples = synthesizeSpeech(recipe);
  const isSilent = Array.from(samples, (sample) => sample === 0);
  const longest = isSilent
    .map((silent) => (silent ? 's' : 'v'))
    .join('')
    .split('v')
    .reduce((most, run) => Math.max(most, run.length), 0);
  expect(longest / 32_000).toBeCloseTo(2, 1);
  expect(samples.some((sample) => sample > 0.1)).toBe(true);
});

test('the loudest speech is not clipped', () => {
  const samples = synthesizeSpeech({ ...recipe, loudness: 1 });
  expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThanOrEqual(1);
});

test('a marked speech ends in beeps', () => {
  const plain = synthesizeSpeech(recipe);
  const marked = synthesizeSpeech({ ...recipe, isMarked: true });
  expect(marked.subarray(0, plain.length)).toEqual(plain);
  expect(marked.subarray(plain.length).some((sample) => sample > 0.1)).toBe(true);
});
