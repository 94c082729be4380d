import sharp from 'sharp';
import { createDice } from '../random.ts';
import { drawCaption } from './caption.ts';
import type { AnimationRecipe } from './recipes.ts';
import { composeScene, drawScene, mixScenes, moveScene, type Scene } from './scene.ts';

/** A landscape that turns from its first prompt's into that of each further prompt. */
export async function renderAnimation(recipe: AnimationRecipe): Promise<Uint8Array> {
  const frames = drawFrames(recipe);
  if (recipe.format === 'mp4')
    return (await import('./video.ts')).encodeVideo({ ...recipe, frames: order(recipe, frames) });
  const images: Buffer[] = [];
  for (const frame of frames) images.push(await sharp(frame).removeAlpha().raw().toBuffer());
  const ordered = order(recipe, images);
  const { width, height, framesPerSecond } = recipe;
  // One tall image of all frames is how they are handed over.
  const raw = { width, height: height * ordered.length, channels: 3, pageHeight: height } as const;
  return sharp(Buffer.concat(ordered), { raw })
    .gif({
      loop: 0,
      delay: listDelays(ordered.length, framesPerSecond),
      effort: 1,
      dither: 0,
      keepDuplicateFrames: true,
    })
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
    const scene = moveScene(mixAlong(scenes, part), part + jump);
    const prompt = prompts[Math.round(part * (prompts.length - 1))] ?? promptStart;
    return Buffer.from(drawScene(scene, width, height, drawCaption(prompt, width, height)));
  });
}

function mixAlong(scenes: readonly Scene[], part: number): Scene {
  const at = part * (scenes.length - 1);
  const index = Math.min(Math.floor(at), scenes.length - 2);
  const [from, to] = [scenes[index], scenes[index + 1]];
  if (!from || !to) throw new RangeError('An animation has at least two prompts');
  return mixScenes(from, to, at - index);
}

/** There, and for ping-pong back again. */
function order<Frame>({ isPingPong }: AnimationRecipe, frames: readonly Frame[]): Frame[] {
  return isPingPong ? [...frames, ...frames.toReversed()] : [...frames];
}

/** A GIF counts in hundredths of a second: the delays vary so that the pace is right on the whole. */
function listDelays(count: number, framesPerSecond: number): number[] {
  const dueAt = (frame: number): number => Math.round((frame * 100) / framesPerSecond);
  return Array.from({ length: count }, (_, frame) => (dueAt(frame + 1) - dueAt(frame)) * 10);
}
