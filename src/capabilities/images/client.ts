import { withoutAbsent } from '../../generations/request-body.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CreateImageInput, ImageByResolutionInput, ImageByCountInput } from './inputs.ts';

export const imagesPath = '/v1/images/generations';

export function toImageBody({ byResolution, byCount }: CreateImageInput): JsonObject {
  return byResolution ? toByResolutionBody(byResolution) : toByCountBody(byCount);
}

export function toByResolutionBody(input: ImageByResolutionInput): JsonObject {
  const { resolution, pixels } = input.size ?? {};
  return withoutAbsent(
    {
      model: input.model,
      prompt: input.prompt,
      size: resolution ?? (pixels && `${pixels.width}x${pixels.height}`),
      sequential_image_generation: input.imageGroup,
      response_format: input.delivery,
      watermark: input.watermark,
    },
    input.extra,
  );
}

function toByCountBody(input: ImageByCountInput): JsonObject {
  return withoutAbsent(
    {
      prompt: input.prompt,
      model: input.model,
      n: input.count,
      size: input.size,
      quality: input.quality,
      response_format: input.delivery,
      style: input.style,
      user: input.user,
    },
    input.extra,
  );
}
