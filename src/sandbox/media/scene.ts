import { createDice, type Dice } from '../random.ts';
import { drawCaption } from './caption.ts';
import { palettes } from './palettes.data.ts';

/** A landscape as plain numbers, so that two of them can be mixed. */
export interface Scene {
  /** Red, green and blue of each color of a palette. */
  readonly colors: readonly (readonly number[])[];
  /** Numbers from 0 to 1. The drawing takes its measures from them, one after the other. */
  readonly shape: readonly number[];
}

const hillSteps = 48;
const bubbleCount = 14;
/** Three numbers for the light, five for each of four hills, four for each bubble. */
const shapeLength = 3 + 5 * 4 + 4 * bubbleCount;

/** The scene of a prompt: the same for the same prompt and seed. */
export function composeScene(prompt: string, seed: string): Scene {
  const dice = createDice(`scene ${seed} ${prompt}`);
  const colors = choosePalette(prompt, dice).split(' ');
  const tint = (dice.next() - 0.5) * 18;
  return {
    colors: colors.map((hex) => {
      const value = Number.parseInt(hex.slice(1), 16);
      return [(value >> 16) + tint, (value >> 8) & 0xff, (value & 0xff) - tint];
    }),
    shape: Array.from({ length: shapeLength }, () => dice.next()),
  };
}

/** The palette of the first theme in the prompt, or any. */
function choosePalette(prompt: string, dice: Dice): string {
  const any = dice.pick(palettes.others);
  const named = palettes.themes
    .map(({ words, colors }) => ({ at: prompt.search(words), colors }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  return named[0]?.colors ?? any;
}

/** The scene at a part of the way, from 0 to 1, between two. */
export function mixScenes(from: Scene, to: Scene, part: number): Scene {
  const mix = (a: readonly number[], b: readonly number[] = a): readonly number[] =>
    a.map((value, index) => value + ((b[index] ?? value) - value) * part);
  return {
    colors: from.colors.map((color, index) => mix(color, to.colors[index])),
    shape: mix(from.shape, to.shape),
  };
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Words along the lower edge. */
  readonly caption?: string;
  /**
   * Moves the bubbles and the hills.
   * @default 0
   */
  readonly time?: number;
}

/** The scene as an SVG document. */
export function drawScene(scene: Scene, { width, height, caption = '', time = 0 }: Drawing): Buffer {
  const size = Math.min(width, height);
  const shape = scene.shape.values();
  const take = (low: number, high: number): number => low + (high - low) * (shape.next().value ?? 0);
  const [top = '', middle = '', horizon = '', light = '', ...land] = scene.colors.map(css);
  const at = `cx="${round(take(0.15, 0.85) * width)}" cy="${round(take(0.15, 0.45) * height)}"`;
  const radius = take(0.06, 0.13) * size;
  const hills = land.map((color, index) => {
    const path = drawHill({ take, index, time }, width, height);
    return `<path d="${path}" fill="${color}" fill-opacity="0.92"/>`;
  });
  const bubbles = Array.from({ length: bubbleCount }, (_, index) => {
    const y = take(0.05, 0.9) - time * (0.3 + 0.1 * (index % 3));
    const center = `cx="${round(take(0, 1) * width)}" cy="${round((y - Math.floor(y)) * height)}"`;
    const opacity = take(0.05, 0.28).toFixed(3);
    return `<circle ${center} r="${round(take(0.008, 0.06) * size)}" fill="${light}" fill-opacity="${opacity}"/>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/>` +
      `<stop offset="35%" stop-color="${middle}"/><stop offset="70%" stop-color="${horizon}"/></linearGradient>` +
      `<radialGradient id="glow"><stop offset="0" stop-color="${light}" stop-opacity="0.75"/>` +
      `<stop offset="1" stop-color="${light}" stop-opacity="0"/></radialGradient></defs>` +
      `<rect width="${width}" height="${height}" fill="url(#sky)"/>` +
      `<circle ${at} r="${round(radius * 3.5)}" fill="url(#glow)"/>` +
      `<circle ${at} r="${round(radius)}" fill="${light}"/>` +
      `${hills.join('')}${bubbles.join('')}${drawCaption(caption, width, height)}</svg>`,
  );
}

interface Hill {
  readonly take: (low: number, high: number) => number;
  /** From far to near. */
  readonly index: number;
  readonly time: number;
}

function drawHill({ take, index, time }: Hill, width: number, height: number): string {
  const base = 0.5 + index * 0.11 + take(-0.03, 0.03);
  const [rise, waves, roughness] = [take(0.03, 0.12), take(0.6, 2.2), take(0.1, 0.5)];
  const phase = take(0, 1) + time * 0.25 * (index + 1);
  const points = Array.from({ length: hillSteps + 1 }, (_, step) => {
    const angle = 2 * Math.PI * ((step / hillSteps) * waves + phase);
    const ripples = Math.sin(2.7 * angle + 1) + 0.5 * Math.sin(5.3 * angle);
    const y = base - rise * (Math.sin(angle) + roughness * ripples);
    return `${round((step / hillSteps) * width)} ${round(y * height)}`;
  });
  return `M0 ${height}L${points.join('L')}L${width} ${height}Z`;
}

function css(color: readonly number[]): string {
  return `rgb(${color.map((part) => Math.round(Math.min(255, Math.max(0, part)))).join(',')})`;
}

function round(value: number): string {
  return value.toFixed(1);
}
