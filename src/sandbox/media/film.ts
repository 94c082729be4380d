import type { AnimationRecipe } from './recipes.ts';

export interface Film {
  /** One after the other, in equal shares of the time. */
  readonly prompts: readonly [string, ...string[]];
  readonly seed: string;
  readonly size: FilmSize;
  readonly seconds: number;
}

export interface FilmSize {
  readonly width: number;
  readonly height: number;
}

const framesPerSecond = 8;
const maxSeconds = 30;

/** The recipe of a video: a landscape that moves, of the right length up to half a minute. */
export function planFilm({ prompts, seed, size, seconds }: Film): AnimationRecipe {
  const [first, ...others] = prompts;
  return {
    kind: 'animation',
    promptStart: first,
    promptsEnd: others.length > 0 ? others : [first],
    seed,
    ...size,
    frames: Math.round(Math.min(seconds, maxSeconds) * framesPerSecond),
    framesPerSecond,
    isPingPong: false,
    variation: 0,
    format: 'mp4',
  };
}

/** A size of the asked shape, small enough to be made quickly. */
export function toFilmSize(shape: '16:9' | '9:16' | '1:1', shortSide: number): FilmSize {
  const longSide = Math.round((shortSide * 16) / 9);
  switch (shape) {
    case '16:9':
      return { width: longSide, height: shortSide };
    case '9:16':
      return { width: shortSide, height: longSide };
    case '1:1':
      return { width: shortSide, height: shortSide };
    default:
      return shape satisfies never;
  }
}
