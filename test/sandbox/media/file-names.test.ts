import { expect, test } from 'vitest';
import { nameFile, readFileName } from '../../../src/sandbox/media/file-names.ts';
import { planFilm } from '../../../src/sandbox/media/film.ts';
import type { PictureRecipe, Recipe } from '../../../src/sandbox/media/recipes.ts';
import { createRandom } from '../../support/random.ts';

const picture: PictureRecipe = {
  kind: 'picture',
  prompt: 'a fox at dawn, 狐',
  seed: '7',
  width: 1024,
  height: 768,
  format: 'webp',
  isMarked: true,
};
const song = {
  kind: 'song',
  seed: 's',
  style: 'jazz',
  notesFrom: 'other',
  isInstrumental: true,
  tempo: 1.25,
  pitch: 0.5,
} as const;
const animation: Recipe = {
  kind: 'animation',
  promptStart: 'a',
  promptsEnd: ['b', 'c'],
  seed: '1',
  width: 512,
  height: 512,
  frames: 24,
  framesPerSecond: 12,
  isPingPong: true,
  variation: 0.3,
  format: 'mp4',
};
const recipes: readonly Recipe[] = [
  picture,
  { ...picture, isBlack: true },
  { ...picture, width: 16_384, height: 1024 },
  animation,
  { ...animation, width: 1024, height: 1024, frames: 60, promptsEnd: Array.from({ length: 60 }, () => 'b') },
  planFilm({ prompts: ['a'], seed: '1', shape: '9:16', shortSide: 270, seconds: 1000 }),
  song,
  { kind: 'song-video', song, title: 'night' },
  {
    kind: 'speech',
    parts: ['one', 0.5, 'two'],
    hertz: 150,
    speed: 1,
    loudness: 0,
    emotion: 'calm',
    isMarked: false,
  },
];

test.each(recipes)('the name of a file holds its recipe: $kind', (recipe) => {
  for (const expiresAtMs of [Infinity, 1_800_000_000_000]) {
    const name = nameFile({ recipe, expiresAtMs }) ?? '';
    expect(name).toMatch(/^[\w-]{10,200}\.\w+$/);
    expect(readFileName(name)).toEqual({ recipe, expiresAtMs });
  }
});

test('a very long text and parts of a caller’s image have no name', () => {
  const random = createRandom(1);
  const prompt = Array.from({ length: 20_000 }, () => String.fromCharCode(33 + random() * 90)).join('');
  expect(nameFile({ recipe: { ...picture, prompt }, expiresAtMs: Infinity })).toBeUndefined();
  // It would be short, but nobody could read it.
  const seed = 'x'.repeat(70_000);
  expect(nameFile({ recipe: { ...picture, seed }, expiresAtMs: Infinity })).toBeUndefined();
  const image = new Uint8Array(3);
  const repaint: Recipe = { ...picture, kind: 'repaint', image, mask: image };
  expect(nameFile({ recipe: repaint, expiresAtMs: Infinity })).toBeUndefined();
});

test.each<Recipe>([
  { ...picture, width: 100_000 },
  { ...picture, height: 0 },
  { ...picture, width: 1.5 },
  { ...picture, seed: '\n'.repeat(40_000) },
  { ...picture, width: 16_384, height: 16_384 },
  { ...animation, width: 4096 },
  { ...animation, frames: 1000 },
  { ...animation, promptsEnd: Array.from({ length: 1000 }, () => 'b') },
  { ...song, tempo: 0.001 },
  { kind: 'song-video', song: { ...song, tempo: 0.001 }, title: 'night' },
])('a name that somebody else wrote with too much is unknown: %#', (recipe) => {
  const name = nameFile({ recipe, expiresAtMs: Infinity }) ?? '';
  expect(name).not.toBe('');
  expect(readFileName(name)).toBeUndefined();
});
