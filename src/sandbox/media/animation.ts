import sharp from 'sharp';
import { createDice } from '../random.ts';
import type { AnimationRecipe } from './recipes.ts';
import { composeScene, drawScene, mixScenes } from './scene.ts';

/** A landscape that turns from the first prompt's into that of each further prompt. */
export async function renderAnimation(recipe: AnimationRecipe): Promise<Uint8Array> {
  const { framesPerSecond, isPingPong, format } = recipe;
  const drawn = drawFrames(recipe);
  const frames = isPingPong ? [...drawn, ...drawn.toReversed()] : drawn;
  if (format === 'mp4') return (await import('./video.ts')).encodeVideo({ ...recipe, frames });
  // A GIF counts in hundredths of a second. The delays vary so that the average pace is right.
  const dueAt = (frame: number): number => Math.round((frame * 100) / framesPerSecond);
  const delay = frames.map((_, frame) => (dueAt(frame + 1) - dueAt(frame)) * 10);
  return sharp(frames, { join: { animated: true } })
    .removeAlpha()
    .gif({ loop: 0, delay, effort: 1, dither: 0, keepDuplicateFrames: true })
    .toBuffer();
}

/** The frames as SVG. */
function drawFrames(recipe: AnimationRecipe): Buffer[] {
  const { promptStart, promptsEnd, seed, width, height, frames, variation } = recipe;
  const prompts = [promptStart, ...promptsEnd];
  const scenes = prompts.map((prompt) => composeScene(prompt, seed));
  const dice = createDice(`animation ${seed}`);
  return Array.from({ length: frames }, (_, index) => {
    const part = frames === 1 ? 0 : index / (frames - 1);
    const jump = variation > 0.5 ? (dice.next() - 0.5) * (variation - 0.5) * 0.05 : 0;
    const at = part * (scenes.length - 1);
    const from = scenes[Math.floor(at)] ?? composeScene(promptStart, seed);
    const scene = mixScenes(from, scenes[Math.ceil(at)] ?? from, at % 1);
    const caption = prompts[Math.round(at)] ?? '';
    return drawScene(scene, { width, height, caption, time: part + jump });
  });
}
