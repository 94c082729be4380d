import { z } from 'zod';
import {
  type CrossRule,
  type ExpressedRule,
  type InputLimits,
  receivedText,
} from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import { modelName } from '../../generations/model-name.ts';
import { anyCase, has, may, notBlank, when } from '../../generations/rule-schemas.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import type { JsonObject } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { byCountNames, byResolutionNames } from './client.ts';
import type { CreateImageInput, ImageByResolutionInput, ImageByCountInput } from './inputs.ts';

type Size = NonNullable<ImageByCountInput['size']>;

interface ModelFamily {
  readonly name: string;
  readonly pattern: RegExp;
  readonly sizes: readonly Size[];
  readonly hasQualityAndStyle: boolean;
}

/** The values that each family of models accepts. An unknown model name may belong to any of them. */
const families: readonly ModelFamily[] = [
  {
    name: 'gpt-image models',
    pattern: /^gpt-image/,
    sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
    hasQualityAndStyle: false,
  },
  {
    name: 'dall-e-2',
    pattern: /^dall-e-2$/,
    sizes: ['256x256', '512x512', '1024x1024'],
    hasQualityAndStyle: false,
  },
  {
    name: 'dall-e-3',
    pattern: /^dall-e-3$/,
    sizes: ['1024x1024', '1792x1024', '1024x1792'],
    hasQualityAndStyle: true,
  },
];

function findFamily(model: string | null | undefined): ModelFamily | undefined {
  return model ? families.find(({ pattern }) => pattern.test(model)) : undefined;
}

/** What holds for the inputs with a model of each family. */
function forFamilies(toSchema: (family: ModelFamily) => JsonObject | undefined): JsonObject {
  return {
    allOf: families.flatMap((family) => {
      const consequence = toSchema(family);
      return consequence
        ? [when(has('model', { type: 'string', pattern: family.pattern.source }), consequence)]
        : [];
    }),
  };
}

const minArea = 1024 * 1024;
const maxArea = 4096 * 4096;
const maxAspectRatio = 16;
/** Follow from the area and the aspect ratio. */
const minSide = Math.sqrt(minArea / maxAspectRatio);
const maxSide = Math.sqrt(maxArea * maxAspectRatio);
const areaLimit = 'The area must be 1024x1024 to 4096x4096 pixels.';
const shapeLimit = 'The aspect ratio must be 1/16 to 16.';

/** False for an absent side, and for one that the member limits report. */
const isSide = (pixels: number): boolean => pixels >= minSide && pixels <= maxSide;

function pixelRule(
  problem: { readonly message: string; readonly limit: string },
  isMet: (width: number, height: number) => boolean,
): CrossRule<ImageByResolutionInput> {
  return ({ size }, report) => {
    const { width = 0, height = 0 } = size?.pixels ?? {};
    if (isSide(width) && isSide(height) && !isMet(width, height))
      report(['size', 'pixels'], { ...problem, received: `${width}x${height}` });
  };
}

const areaIsWithinBounds = pixelRule(
  { message: areaLimit, limit: `${minArea} to ${maxArea} pixels` },
  (width, height) => width * height >= minArea && width * height <= maxArea,
);

const shapeIsWithinBounds = pixelRule(
  { message: shapeLimit, limit: '1/16 to 16' },
  (width, height) => width <= height * maxAspectRatio && height <= width * maxAspectRatio,
);

const modelHasByResolution: ExpressedRule<ImageByResolutionInput> = {
  schema: may('model', { not: { pattern: families.map(({ pattern }) => pattern.source).join('|') } }),
  check({ model }, report) {
    if (!findFamily(model)) return;
    report(['model'], {
      message: `${abbreviate(model, 100)} needs byCount of createImage.`,
      limit: 'a model for byResolution',
      received: receivedText(model),
    });
  },
};

const side = z.number().min(minSide).max(maxSide);

/** The gateway's document, "Limits", row Image set A. */
export const byResolutionLimits: InputLimits<ImageByResolutionInput> = {
  members: z.object({
    model: modelName,
    prompt: z.string().trim().min(1),
    size: z
      .object({
        pixels: z.object({ width: side, height: side }).nullish(),
      })
      .nullish(),
  }),
  rules: {
    [`size.pixels: ${areaLimit}`]: areaIsWithinBounds,
    [`size.pixels: ${shapeLimit}`]: shapeIsWithinBounds,
    'model must not be a DALL-E or GPT image model.': modelHasByResolution,
  },
  ...declaredBy(byResolutionNames, { byCount: byCountNames }),
};

/** Names of models that accept only `byResolution`. */
const byResolutionModel = new RegExp(['seedream', 'doubao'].map(anyCase).join('|'));

const modelHasByCount: ExpressedRule<ImageByCountInput> = {
  schema: may('model', when({ type: 'string' }, { not: { pattern: byResolutionModel.source } })),
  check({ model }, report) {
    if (!model || !byResolutionModel.test(model)) return;
    report(['model'], {
      message: `${abbreviate(model, 100)} needs byResolution.`,
      limit: 'a model for byCount',
      received: receivedText(model),
    });
  },
};

/** The name of the enum value. */
const toSizeName = (size: Size): string => (size === 'auto' ? 'AUTO' : `SIZE_${size.toUpperCase()}`);

const sizeIsOfFamily: ExpressedRule<ImageByCountInput> = {
  schema: forFamilies(({ sizes }) => may('size', { enum: [...sizes.map(toSizeName), null] })),
  check({ model, size }, report) {
    const family = findFamily(model);
    if (!family || !size || family.sizes.includes(size)) return;
    const limit = family.sizes.join(', ');
    report(['size'], { message: `${model} supports only ${limit}.`, limit, received: size });
  },
};

const qualityAndStyleAreOfFamily: ExpressedRule<ImageByCountInput> = {
  schema: forFamilies(({ hasQualityAndStyle }) =>
    hasQualityAndStyle ? undefined : { properties: { quality: { type: 'null' }, style: { type: 'null' } } },
  ),
  check({ model, ...input }, report) {
    const family = findFamily(model);
    if (!family || family.hasQualityAndStyle) return;
    for (const member of ['quality', 'style'] as const) {
      const received = input[member];
      if (!received) continue;
      report([member], {
        message: `${model} does not support ${member}. Only dall-e-3 does.`,
        limit: 'absent',
        received,
      });
    }
  },
};

const maxPromptChars = 1000;

/** The gateway's document, "Limits", row Image set B, and its list of sizes per family. */
const byCountLimits: InputLimits<ImageByCountInput> = {
  members: z.object({
    prompt: limitedText({ max: maxPromptChars }).refine((text) => text.trim() !== '', {
      error: 'Must not be empty.',
      params: { limit: `1 to ${maxPromptChars} characters`, schema: notBlank },
    }),
    model: modelName.nullish(),
    count: z.number().min(1).max(10).nullish(),
  }),
  rules: {
    'model must not be a Seedream or Doubao model.': modelHasByCount,
    [`Some models accept only these sizes. ${families.map(({ name, sizes }) => `${name}: ${sizes.join(', ')}.`).join(' ')}`]:
      sizeIsOfFamily,
    'Of the known models, only dall-e-3 supports quality and style.': qualityAndStyleAreOfFamily,
  },
  ...declaredBy(byCountNames, { byResolution: byResolutionNames }),
};

export const createImageLimits: InputLimits<CreateImageInput> = {
  members: z.object({}),
  declared: [],
  alternatives: { byResolution: byResolutionLimits, byCount: byCountLimits },
};
