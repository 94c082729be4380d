import { expect, onTestFinished, test } from 'vitest';
import { createMediaLibrary, mediaPath } from '../../../src/sandbox/media/library.ts';
import type { SpeechRecipe } from '../../../src/sandbox/media/recipes.ts';

const recipe: SpeechRecipe = {
  kind: 'speech',
  parts: ['hello there '.repeat(3)],
  hertz: 150,
  speed: 1,
  loudness: 0,
  emotion: 'calm',
  isMarked: false,
};

test('concurrent reads of a file share its rendering', async () => {
  const library = createMediaLibrary({ random: Math.random, clock: Date.now });
  onTestFinished(() => library.close());
  const file = library.publish(recipe).slice(mediaPath.length);
  const [first, second] = await Promise.all([library.find(file)?.read(), library.find(file)?.read()]);
  expect(first?.length).toBeGreaterThan(0);
  expect(second).toBe(first);
  expect(await library.find(file)?.read()).toBe(first);
});

test('a rendering fails when the thread ends, and the next one starts a new thread', async () => {
  const library = createMediaLibrary({ random: Math.random, clock: Date.now });
  onTestFinished(() => library.close());
  const file = library.publish(recipe).slice(mediaPath.length);
  const [result] = await Promise.allSettled([library.find(file)?.read(), library.close()]);
  expect(result).toMatchObject({
    status: 'rejected',
    reason: { message: 'The thread has ended' },
  });
  expect((await library.find(file)?.read())?.length).toBeGreaterThan(0);
});
