import { z } from 'zod';
import type { CrossRule, InputLimits } from '../../generations/check-input.ts';
import { imageSource, readInlineHeader } from '../../generations/image-source.ts';
import { modelName } from '../../generations/model-name.ts';
import { pathSegment } from '../../generations/path-segment.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import type { ImageHeader } from '../../lib/image-header.ts';
import { animationNames, fillImageNames } from './client.ts';
import type { CreateAnimationInput, FillImageInput } from './inputs.ts';

/** The gateway's document, "Limits", row Animation. */
export const animationLimits: InputLimits<CreateAnimationInput> = {
  members: z.object({
    modelVersion: modelName,
    promptStart: z.string().trim().min(1),
    promptEnd: z.string().trim().min(1),
    width: z.number().min(1).nullish(),
    height: z.number().min(1).nullish(),
    guidanceScale: z.number().min(1).max(20).nullish(),
    steps: z.number().min(1).max(500).nullish(),
    frameCount: z.number().min(2).max(50).nullish(),
    framesPerSecond: z.number().min(1).max(50).nullish(),
    interpolationSteps: z.number().min(1).max(50).nullish(),
  }),
  ...declaredBy(animationNames),
};

/** `None` is the option's own value for "not used". */
function usesOutpaint({ outpaint }: FillImageInput): boolean {
  return !['', 'none'].includes((outpaint ?? '').trim().toLowerCase());
}

/** Only inline data can be measured without a download. The gateway ignores the mask when `outpaint` is set. */
const maskMatchesImageSize: CrossRule<FillImageInput> = (input, report) => {
  if (typeof input.mask !== 'string' || usesOutpaint(input)) return;
  const [image, mask] = [readInlineHeader(input.image), readInlineHeader(input.mask)];
  if (!image?.size || !mask?.size) return;
  // Rotated images (EXIF): it is unknown whether the gateway measures the stored or the displayed size. Accept both.
  if (sizesOf(image).some((size) => sizesOf(mask).includes(size))) return;
  report(['mask'], {
    message: 'The mask must have the size of the image.',
    limit: `${sizesOf(image).join(' or ')} pixels`,
    received: `${sizesOf(mask).join(' or ')} pixels`,
  });
};

function sizesOf({ size, isRotated }: ImageHeader): readonly string[] {
  if (!size) return [];
  const { width, height } = size;
  return [`${width}x${height}`, ...(isRotated ? [`${height}x${width}`] : [])];
}

/** Requires a mask for an inline image without an alpha channel. The gateway checks the content of an alpha channel. */
const repairAreaIsGiven: CrossRule<FillImageInput> = (input, report) => {
  if (typeof input.mask === 'string' || usesOutpaint(input)) return;
  const image = readInlineHeader(input.image);
  if (image?.hasAlpha !== false) return;
  report(['mask'], {
    message: `This ${image.type} has no alpha channel. Set mask, or use outpaint.`,
    limit: 'required with an image without alpha channel',
  });
};

const fillTypes = ['jpeg', 'png', 'gif', 'webp'] as const;

/** The gateway's document, "Limits", row Fill, and "Errors": the mask must match the image. */
export const fillImageLimits: InputLimits<FillImageInput> = {
  members: z.object({
    modelOwner: pathSegment,
    modelName: pathSegment,
    image: imageSource(fillTypes),
    prompt: z.string().trim().min(1),
    mask: imageSource(fillTypes).nullish(),
    steps: z.number().min(15).max(50).nullish(),
    guidanceScale: z.number().min(1.5).max(100).nullish(),
    safetyTolerance: z.number().min(1).max(6).nullish(),
  }),
  rules: {
    'mask must have the size of image. Checked for inline images.': maskMatchesImageSize,
    'mask or outpaint is required if image has no alpha channel. Checked for inline images.':
      repairAreaIsGiven,
  },
  ...declaredBy(fillImageNames),
};
