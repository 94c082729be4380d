import { expect, test } from 'vitest';
import { type Recipe, sizeOfRecipe } from '../../../src/sandbox/media/recipes.ts';

const text = 'fox '.repeat(50_000);
const canvas = { prompt: text, seed: '1', width: 64, height: 64, format: 'png' } as const;
const song = {
  kind: 'song',
  seed: '1',
  style: text,
  notesFrom: '1',
  isInstrumental: false,
  tempo: 1,
  pitch: 1,
} as const;
const image = new Uint8Array(100_000);

// The library evicts by these sizes.
test.each<[Recipe, number]>([
  [{ kind: 'picture', ...canvas }, text.length],
  [{ kind: 'repaint', ...canvas, image, mask: image }, text.length + 2 * image.length],
  [
    {
      kind: 'animation',
      promptStart: text,
      promptsEnd: [text],
      seed: '1',
      width: 64,
      height: 64,
      frames: 2,
      framesPerSecond: 8,
      isPingPong: false,
      variation: 0,
      format: 'mp4',
    },
    2 * text.length,
  ],
  [song, text.length],
  [{ kind: 'song-video', song, title: text }, 2 * text.length],
  [
    {
      kind: 'speech',
      parts: [text, 0.5, text],
      hertz: 150,
      speed: 1,
      loudness: 0,
      emotion: 'calm',
      isMarked: false,
    },
    2 * text.length,
  ],
])('the size of a recipe counts its texts and images: $kind', (recipe, size) => {
  expect(sizeOfRecipe(recipe)).toBeGreaterThan(size);
  expect(sizeOfRecipe(recipe)).toBeLessThan(size + 2000);
});
