import type { AnimationRecipe } from './recipes.ts';

export interface Film {
  /** One after the other, in equal shares of the time. */
  readonly prompts: readonly string[];
  readonly seed: string;
  readonly shape: '16:9' | '9:16' | '1:1';
  /** Pixels of the shorter side. */
  readonly shortSide: number;
  readonly seconds: number;
}

const framesPerSecond = 8;
const maxSeconds = 30;

/** The recipe of a video: a moving landscape of the requested shape and length, small and at most half a minute. */
export function planFilm({ prompts, seed, shape, shortSide, seconds }: Film): AnimationRecipe {
  const [first = '', ...others] = prompts;
  const longSide = Math.round((shortSide * 16) / 9);
  return {
    kind: 'animation',
    promptStart: first,
    promptsEnd: others.length > 0 ? others : [first],
    seed,
    width: shape === '16:9' ? longSide : shortSide,
    height: shape === '9:16' ? longSide : shortSide,
    frames: Math.round(Math.min(seconds, maxSeconds) * framesPerSecond),
    framesPerSecond,
    isPingPong: false,
    variation: 0,
    format: 'mp4',
  };
}
