import { toBody, type WireNames } from '../../generations/wire-names.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CreateImageInput, ImageByResolutionInput, ImageByCountInput } from './inputs.ts';

export const imagesPath = '/v1/images/generations';

export function toImageBody({ byResolution, byCount }: CreateImageInput): JsonObject {
  return byResolution ? toByResolutionBody(byResolution) : toBody(byCountNames, byCount);
}

export const byResolutionNames: WireNames<ImageByResolutionInput> = {
  model: 'model',
  prompt: 'prompt',
  size: 'size',
  imageGroup: 'sequential_image_generation',
  delivery: 'response_format',
  watermark: 'watermark',
};

export function toByResolutionBody(input: ImageByResolutionInput): JsonObject {
  const { resolution, pixels } = input.size ?? {};
  const size = resolution ?? (pixels && `${pixels.width}x${pixels.height}`);
  return toBody(byResolutionNames, input, { size });
}

export const byCountNames: WireNames<ImageByCountInput> = {
  prompt: 'prompt',
  model: 'model',
  count: 'n',
  size: 'size',
  quality: 'quality',
  delivery: 'response_format',
  style: 'style',
  user: 'user',
};
