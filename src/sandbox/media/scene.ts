import { createDice } from '../random.ts';
import { choosePalette } from './palettes.ts';

/** A landscape as numbers alone, in parts of its width and height, so that two of them can be mixed. */
export interface Scene {
  readonly sky: readonly Colour[];
  readonly light: {
    readonly x: number;
    readonly y: number;
    readonly radius: number;
    readonly colour: Colour;
  };
  /** From far to near. */
  readonly hills: readonly Hill[];
  readonly bubbles: readonly Bubble[];
}

type Colour = readonly [red: number, green: number, blue: number];

interface Hill {
  readonly base: number;
  readonly height: number;
  readonly waves: number;
  readonly phase: number;
  readonly roughness: number;
  readonly colour: Colour;
}

interface Bubble {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly opacity: number;
}

/** The scene of a prompt: the same for the same prompt and seed. */
export function composeScene(prompt: string, seed: string): Scene {
  const dice = createDice(`scene ${seed} ${prompt}`);
  const { sky, light, land } = choosePalette(prompt, dice);
  const tint = (dice.next() - 0.5) * 36;
  const colour = (hex: string): Colour => shade(parseColour(hex), tint);
  const span = (low: number, high: number): number => low + dice.next() * (high - low);
  return {
    sky: sky.map(colour),
    light: { x: span(0.15, 0.85), y: span(0.15, 0.45), radius: span(0.06, 0.13), colour: colour(light) },
    hills: land.map((hex, index) => ({
      base: 0.5 + index * 0.11 + span(-0.03, 0.03),
      height: span(0.03, 0.12),
      waves: span(0.6, 2.2),
      phase: span(0, 1),
      roughness: span(0.1, 0.5),
      colour: colour(hex),
    })),
    bubbles: Array.from({ length: 14 }, () => ({
      x: dice.next(),
      y: span(0.05, 0.9),
      radius: span(0.008, 0.06),
      opacity: span(0.05, 0.28),
    })),
  };
}

/** The scene at a part of the way, from 0 to 1, between two. */
export function mixScenes(from: Scene, to: Scene, part: number): Scene {
  const mix = (a: number, b: number): number => a + (b - a) * part;
  const colour = (a: Colour, b: Colour): Colour => [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2])];
  return {
    sky: from.sky.map((a, index) => colour(a, to.sky[index] ?? a)),
    light: {
      x: mix(from.light.x, to.light.x),
      y: mix(from.light.y, to.light.y),
      radius: mix(from.light.radius, to.light.radius),
      colour: colour(from.light.colour, to.light.colour),
    },
    hills: from.hills.map((a, index) => {
      const b = to.hills[index] ?? a;
      return {
        base: mix(a.base, b.base),
        height: mix(a.height, b.height),
        waves: mix(a.waves, b.waves),
        phase: mix(a.phase, b.phase),
        roughness: mix(a.roughness, b.roughness),
        colour: colour(a.colour, b.colour),
      };
    }),
    bubbles: from.bubbles.map((a, index) => {
      const b = to.bubbles[index] ?? a;
      return {
        x: mix(a.x, b.x),
        y: mix(a.y, b.y),
        radius: mix(a.radius, b.radius),
        opacity: mix(a.opacity, b.opacity),
      };
    }),
  };
}

/** The scene a little later: the bubbles rise, the hills drift. */
export function moveScene(scene: Scene, time: number): Scene {
  return {
    ...scene,
    hills: scene.hills.map((hill, index) => ({ ...hill, phase: hill.phase + time * 0.25 * (index + 1) })),
    bubbles: scene.bubbles.map((bubble, index) => {
      const y = bubble.y - time * (0.3 + 0.1 * (index % 3));
      return { ...bubble, y: y - Math.floor(y) };
    }),
  };
}

/** The scene as an SVG document. */
export function drawScene(scene: Scene, width: number, height: number, overlay = ''): string {
  const size = Math.min(width, height);
  const { light } = scene;
  const stops = scene.sky.map(
    (colour, index) => `<stop offset="${index * 35}%" stop-color="${css(colour)}"/>`,
  );
  const bubbles = scene.bubbles.map(
    ({ x, y, radius, opacity }) =>
      `<circle cx="${round(x * width)}" cy="${round(y * height)}" r="${round(radius * size)}" fill="${css(light.colour)}" fill-opacity="${opacity.toFixed(3)}"/>`,
  );
  const hills = scene.hills.map(
    (hill) => `<path d="${drawHill(hill, width, height)}" fill="${css(hill.colour)}" fill-opacity="0.92"/>`,
  );
  const at = `cx="${round(light.x * width)}" cy="${round(light.y * height)}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">${stops.join('')}</linearGradient>` +
    `<radialGradient id="glow"><stop offset="0" stop-color="${css(light.colour)}" stop-opacity="0.75"/>` +
    `<stop offset="1" stop-color="${css(light.colour)}" stop-opacity="0"/></radialGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>` +
    `<circle ${at} r="${round(light.radius * size * 3.5)}" fill="url(#glow)"/>` +
    `<circle ${at} r="${round(light.radius * size)}" fill="${css(light.colour)}"/>` +
    `${hills.join('')}${bubbles.join('')}${overlay}</svg>`
  );
}

function drawHill(
  { base, height: rise, waves, phase, roughness }: Hill,
  width: number,
  height: number,
): string {
  const steps = 48;
  const points: string[] = [];
  for (let step = 0; step <= steps; step += 1) {
    const angle = 2 * Math.PI * ((step / steps) * waves + phase);
    const wave =
      Math.sin(angle) + roughness * Math.sin(2.7 * angle + 1) + roughness * 0.5 * Math.sin(5.3 * angle);
    points.push(`${round((step / steps) * width)} ${round((base - rise * wave) * height)}`);
  }
  return `M0 ${height}L${points.join('L')}L${width} ${height}Z`;
}

function parseColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function shade([red, green, blue]: Colour, tint: number): Colour {
  return [red + tint * 0.5, green, blue - tint * 0.5];
}

function css(colour: Colour): string {
  const [red, green, blue] = colour.map((part) => Math.round(Math.min(255, Math.max(0, part))));
  return `rgb(${red},${green},${blue})`;
}

function round(value: number): string {
  return value.toFixed(1);
}
