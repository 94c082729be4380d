import { z } from 'zod';
import { type CrossRule, type InputLimits, receivedText } from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import { abbreviate } from '../../lib/text.ts';
import type { CreateImageInput, ImageSetAInput, ImageSetBInput } from './inputs.ts';

type SetBSize = NonNullable<ImageSetBInput['size']>;

interface Family {
  readonly name: string;
  readonly has: (model: string) => boolean;
  readonly sizes: readonly SetBSize[];
  readonly hasQualityAndStyle: boolean;
}

/** The families of set B. An unknown model name may belong to any of them. */
const families: readonly Family[] = [
  {
    name: 'A',
    has: (model) => model.startsWith('gpt-image'),
    sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
    hasQualityAndStyle: false,
  },
  {
    name: 'B',
    has: (model) => model === 'dall-e-2',
    sizes: ['256x256', '512x512', '1024x1024'],
    hasQualityAndStyle: false,
  },
  {
    name: 'C',
    has: (model) => model === 'dall-e-3',
    sizes: ['1024x1024', '1792x1024', '1024x1792'],
    hasQualityAndStyle: true,
  },
];

function findFamily(model: string | null | undefined): Family | undefined {
  return model ? families.find(({ has }) => has(model)) : undefined;
}

/** All members that the document declares for /v1/images/generations, of both parameter sets. */
const imageMembers = [
  'model',
  'prompt',
  'size',
  'sequential_image_generation',
  'stream',
  'response_format',
  'watermark',
  'n',
  'quality',
  'style',
  'user',
];

const minArea = 1024 * 1024;
const maxArea = 4096 * 4096;
const maxAspectRatio = 16;

const areaIsWithinBounds: CrossRule<ImageSetAInput> = ({ size }, report) => {
  const { width = 0, height = 0 } = size?.pixels ?? {};
  if (width < 1 || height < 1) return; // Absent, or reported by the member limits.
  const area = width * height;
  if (area >= minArea && area <= maxArea) return;
  report(['size', 'pixels'], {
    message: 'The area must be 1024x1024 to 4096x4096 pixels.',
    limit: `${minArea} to ${maxArea} pixels`,
    received: `${width}x${height}`,
  });
};

const shapeIsWithinBounds: CrossRule<ImageSetAInput> = ({ size }, report) => {
  const { width = 0, height = 0 } = size?.pixels ?? {};
  if (width < 1 || height < 1) return;
  if (width <= height * maxAspectRatio && height <= width * maxAspectRatio) return;
  report(['size', 'pixels'], {
    message: 'The aspect ratio must be 1/16 to 16.',
    limit: '1/16 to 16',
    received: `${width}x${height}`,
  });
};

const modelTakesSetA: CrossRule<ImageSetAInput> = ({ model }, report) => {
  if (!findFamily(model)) return;
  report(['model'], {
    message: `${abbreviate(model, 100)} needs parameter set B: use setB.`,
    limit: 'a model of set A',
    received: receivedText(model),
  });
};

/** The gateway's document, "Limits", row Image set A. */
export const setALimits: InputLimits<ImageSetAInput> = {
  members: z.object({
    model: z.string().trim().min(1),
    prompt: z.string().trim().min(1),
    size: z
      .object({
        pixels: z.object({ width: z.number().min(1), height: z.number().min(1) }).nullish(),
      })
      .nullish(),
  }),
  rules: [areaIsWithinBounds, shapeIsWithinBounds, modelTakesSetA],
  declared: imageMembers,
};

/** Names of models that accept only set A. */
const modelOfSetA = /seedream|doubao/i;

const modelTakesSetB: CrossRule<ImageSetBInput> = ({ model }, report) => {
  if (!model || !modelOfSetA.test(model)) return;
  report(['model'], {
    message: `${abbreviate(model, 100)} needs parameter set A: use setA.`,
    limit: 'a model of set B',
    received: receivedText(model),
  });
};

const sizeIsOfFamily: CrossRule<ImageSetBInput> = ({ model, size }, report) => {
  const family = findFamily(model);
  if (!family || !size || family.sizes.includes(size)) return;
  const limit = family.sizes.join(', ');
  report(['size'], { message: `${model} supports only ${limit}.`, limit, received: size });
};

const qualityAndStyleAreOfFamily: CrossRule<ImageSetBInput> = ({ model, ...input }, report) => {
  const family = findFamily(model);
  if (!family || family.hasQualityAndStyle) return;
  for (const member of ['quality', 'style'] as const) {
    const received = input[member];
    if (!received) continue;
    report([member], {
      message: `${model} does not support ${member}. Only models of family C (dall-e-3) do.`,
      limit: 'absent',
      received,
    });
  }
};

const maxPromptChars = 1000;

/** The gateway's document, "Limits", row Image set B, and its list of sizes per family. */
export const setBLimits: InputLimits<ImageSetBInput> = {
  members: z.object({
    prompt: limitedText({ max: maxPromptChars }).refine((text) => text.trim() !== '', {
      error: 'Must not be empty.',
      params: { limit: `1 to ${maxPromptChars} characters` },
    }),
    model: z.string().trim().min(1).nullish(),
    n: z.number().min(1).max(10).nullish(),
  }),
  rules: [modelTakesSetB, sizeIsOfFamily, qualityAndStyleAreOfFamily],
  declared: imageMembers,
};

export const createImageLimits: InputLimits<CreateImageInput> = {
  members: z.object({}),
  rules: [],
  declared: [],
  alternatives: { setA: setALimits, setB: setBLimits },
};
