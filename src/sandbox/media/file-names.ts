import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { sizeOfValue } from '../../lib/json-size.ts';
import { type Recipe, toFileType } from './recipes.ts';

/** A recipe, and the end of its address's life in milliseconds since the epoch. */
export interface Published {
  readonly recipe: Recipe;
  /** Infinity for an address that does not expire. */
  readonly expiresAtMs: number;
}

/** Node's HTTP server accepts 16 KB of headers. */
const maxNameLength = 6000;
const maxTextBytes = 64 * 1024;

/** What most recipes contain, so that names are short. It is a part of the format: a change makes old addresses unknown. */
const dictionary = Buffer.from(
  [
    '"kind":"speech","parts":["],"hertz":1,"speed":1,"loudness":0,"emotion":"calm","isMarked":false}]',
    '"kind":"song-video","song":{"kind":"song","seed":","style":","notesFrom":","isInstrumental":false,"tempo":1,"pitch":1},"title":"',
    '"kind":"animation","promptStart":","promptsEnd":["],"seed":","width":,"height":,"frames":,"framesPerSecond":,"isPingPong":false,"variation":0,"format":"gif"}]',
    '[null,{"kind":"picture","prompt":","seed":","width":1024,"height":1024,"format":"jpeg"}]',
  ].join(''),
);

const text = z.string().max(maxTextBytes);
/** The longest side and the largest area of an image of set A. */
const side = z.int().min(1).max(16_384);
const maxArea = 4096 * 4096;
/** The longest side of an animation. */
const shortSide = z.int().min(1).max(1024);
const ratio = z.number().positive().max(100);
const part = z.number().min(0).max(1);

const canvas = {
  prompt: text,
  seed: text,
  width: side,
  height: side,
  format: z.enum(['jpeg', 'png', 'webp', 'gif']),
  isBlack: z.boolean().exactOptional(),
};
const song = z.strictObject({
  kind: z.literal('song'),
  seed: text,
  style: text,
  notesFrom: text,
  isInstrumental: z.boolean(),
  // A slower song would be longer than ten minutes.
  tempo: z.number().min(0.04).max(100),
  pitch: ratio,
});
/** Bounded, because anybody can write a name: what it costs to render is at most that of the media that requests ask for. */
const published = z.tuple([
  z.number().nullable(),
  z.discriminatedUnion('kind', [
    z
      .strictObject({ kind: z.literal('picture'), ...canvas, isMarked: z.boolean().exactOptional() })
      .refine(({ width, height }) => width * height <= maxArea),
    z.strictObject({
      kind: z.literal('animation'),
      promptStart: text,
      promptsEnd: z.array(text).max(60),
      seed: text,
      width: shortSide,
      height: shortSide,
      frames: z.int().min(1).max(240),
      framesPerSecond: ratio,
      isPingPong: z.boolean(),
      variation: part,
      format: z.enum(['gif', 'mp4']),
    }),
    song,
    z.strictObject({ kind: z.literal('song-video'), song, title: text }),
    z.strictObject({
      kind: z.literal('speech'),
      parts: z.array(z.union([text, z.number().min(0).max(100)])),
      hertz: z.number().min(1).max(10_000),
      speed: ratio,
      loudness: z.number().min(-1).max(1),
      emotion: z.enum(['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'calm']),
      isMarked: z.boolean(),
    }),
  ]),
]);

/**
 * The name of a file from which every sandbox can render it, also after a restart. Undefined for a recipe with a part of a caller's
 * image, and for long texts.
 */
export function nameFile({ recipe, expiresAtMs }: Published): string | undefined {
  // Nobody could read the name of a longer text, and its compression would block the process.
  if (recipe.kind === 'repaint' || sizeOfValue(recipe, maxTextBytes) > maxTextBytes) return undefined;
  const json = JSON.stringify([Number.isFinite(expiresAtMs) ? expiresAtMs : null, recipe]);
  const name = `${deflateRawSync(json, { dictionary }).toString('base64url')}.${toFileType(recipe).extension}`;
  return name.length > maxNameLength ? undefined : name;
}

/** Undefined for a name that `nameFile` has not written. */
export function readFileName(file: string): Published | undefined {
  const [encoded = '', extension, ...rest] = file.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  try {
    const json = inflateRawSync(bytes, { dictionary, maxOutputLength: maxTextBytes }).toString();
    const [expiresAtMs, recipe] = published.parse(JSON.parse(json));
    const isWritten =
      rest.length === 0 &&
      extension === toFileType(recipe).extension &&
      bytes.toString('base64url') === encoded;
    return isWritten ? { expiresAtMs: expiresAtMs ?? Infinity, recipe } : undefined;
  } catch {
    return undefined;
  }
}
