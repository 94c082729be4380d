import { z } from 'zod';
import { codePoints } from '../../lib/text.ts';
import { isSizeOfSetA } from './sizes.ts';

export type SetARequest = z.output<typeof setARequest>;
export type SetBRequest = z.output<(typeof setBRequests)[SetBFamily]>;

const responseFormat = z.enum(['url', 'b64_json']);

/** Parameter set A: the size or resolution style. */
export const setARequest = z.strictObject({
  model: z.string().min(1),
  prompt: z.string(),
  size: z
    .string()
    .refine(isSizeOfSetA, {
      error:
        'expected 1K, 2K, 4K or <width>x<height> with an area from 1024x1024 to 4096x4096 pixels and an aspect ratio from 1/16 to 16',
    })
    .default('2048x2048'),
  sequential_image_generation: z.enum(['auto', 'disabled']).default('disabled'),
  stream: z.boolean().default(false),
  response_format: responseFormat.default('url'),
  watermark: z.boolean().default(true),
});

/** The model families of set B, by the letters of the gateway's document. `any`: an unknown model. */
export type SetBFamily = 'A' | 'B' | 'C' | 'any';

/** In code points. */
const maxPromptLength = 1000;

const sizesA = ['1024x1024', '1536x1024', '1024x1536', 'auto'] as const;
const sizesB = ['256x256', '512x512', '1024x1024'] as const;
const sizesC = ['1024x1024', '1792x1024', '1024x1792'] as const;
export const sizesOfSetB: readonly string[] = [...sizesA, ...sizesB, ...sizesC];

const common = {
  prompt: z.string().refine((text) => codePoints(text) <= maxPromptLength, {
    error: `expected at most ${maxPromptLength} characters`,
  }),
  model: z.string().min(1).optional(),
  n: z.int().min(1).max(10).default(1),
  response_format: responseFormat.default('url'),
  user: z.string().optional(),
};

const finer = {
  // The gateway documents hd alone. SDKs send standard for the default.
  quality: z.enum(['hd', 'standard']).optional(),
  style: z.enum(['vivid', 'natural']).optional(),
};

const onlyFamilyC = z.never({ error: 'is only possible with models of family C, as dall-e-3' }).optional();
const notFiner = { quality: onlyFamilyC, style: onlyFamilyC };

/** Parameter set B: the n, quality and style one. */
export const setBRequests = {
  A: z.strictObject({ ...common, ...notFiner, size: z.enum(sizesA).default('auto') }),
  B: z.strictObject({ ...common, ...notFiner, size: z.enum(sizesB).default('1024x1024') }),
  C: z.strictObject({ ...common, ...finer, size: z.enum(sizesC).default('1024x1024') }),
  any: z.strictObject({
    ...common,
    ...finer,
    size: z.enum([...sizesA, ...sizesB, ...sizesC]).default('1024x1024'),
  }),
} as const;
