import type { Recipe } from '../media/recipes.ts';
import type { AnimationRequest } from './requests.ts';

const maxSide = 1024;
/** Limits the rendering time. More prompts than frames would not be seen. */
const maxFrames = 60;
/** Of all frames together: 120 frames of 512 by 512 pixels take some 10 seconds and 300 MB as a GIF. */
const maxPixels = 32_000_000;

/** The files of an animation. The animation is the last one, after the intermediate pictures if requested. */
export function planAnimation(input: AnimationRequest['input'], seed: string): readonly Recipe[] {
  const promptsEnd = input.prompt_end.split('|', maxFrames).map((prompt) => prompt.trim());
  const steps = input.film_interpolation ? input.num_interpolation_steps : 1;
  const frames = Math.min(maxFrames, input.num_animation_frames * steps);
  const pixels = input.width * input.height * frames * (input.gif_ping_pong ? 2 : 1);
  const scale = Math.min(1, maxSide / Math.max(input.width, input.height), Math.sqrt(maxPixels / pixels));
  const [width, height] = [fit(input.width, scale), fit(input.height, scale)];
  const animation: Recipe = {
    kind: 'animation',
    promptStart: input.prompt_start,
    promptsEnd,
    seed,
    width,
    height,
    frames,
    framesPerSecond: input.gif_frames_per_second,
    isPingPong: input.gif_ping_pong,
    // The document has no bounds.
    variation: Math.min(1, Math.max(0, input.prompt_strength)),
    format: input.output_format,
  };
  if (!input.intermediate_output) return [animation];
  const stills = [input.prompt_start, ...promptsEnd].map((prompt): Recipe => {
    return { kind: 'picture', prompt, seed, width, height, format: 'png' };
  });
  return [...stills, animation];
}

function fit(side: number, scale: number): number {
  return Math.max(1, Math.round(side * scale));
}
