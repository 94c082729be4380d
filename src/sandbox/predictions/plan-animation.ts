import type { Recipe } from '../media/recipes.ts';
import type { AnimationRequest } from './requests.ts';

const maxSide = 1024;
/** More would take longer to make than anybody waits. */
const maxFrames = 60;

/** The files of an animation, the animation itself last; before it, where asked, a picture of each prompt. */
export function planAnimation(input: AnimationRequest['input'], seed: string): readonly Recipe[] {
  const { width, height } = fit(input.width, input.height);
  const promptsEnd = input.prompt_end.split('|').map((prompt) => prompt.trim());
  const steps = input.film_interpolation ? input.num_interpolation_steps : 1;
  const animation: Recipe = {
    kind: 'animation',
    promptStart: input.prompt_start,
    promptsEnd,
    seed,
    width,
    height,
    frames: Math.min(maxFrames, input.num_animation_frames * steps),
    framesPerSecond: input.gif_frames_per_second,
    isPingPong: input.gif_ping_pong,
    variation: input.prompt_strength,
    format: input.output_format,
  };
  if (!input.intermediate_output) return [animation];
  const stills = [input.prompt_start, ...promptsEnd].map((prompt): Recipe => {
    return { kind: 'picture', prompt, seed, width, height, format: 'png' };
  });
  return [...stills, animation];
}

/** The asked size, made smaller in proportion where a side is too long. */
function fit(width: number, height: number): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const scaled = (side: number): number => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}
