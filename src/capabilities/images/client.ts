import { withoutAbsent } from '../../generations/request-body.ts';
import type { JsonObject } from '../../lib/json.ts';
import type {
  CreateImageInput,
  ResolutionAndGroupImageInput,
  CountQualityStyleImageInput,
} from './inputs.ts';

export const imagesPath = '/v1/images/generations';

export function toImageBody({ resolutionAndGroup, countQualityStyle }: CreateImageInput): JsonObject {
  return resolutionAndGroup
    ? toResolutionAndGroupBody(resolutionAndGroup)
    : toCountQualityStyleBody(countQualityStyle);
}

export function toResolutionAndGroupBody(input: ResolutionAndGroupImageInput): JsonObject {
  const { resolution, pixels } = input.size ?? {};
  return withoutAbsent(
    {
      model: input.model,
      prompt: input.prompt,
      size: resolution ?? (pixels && `${pixels.width}x${pixels.height}`),
      sequential_image_generation: input.imageGroup,
      response_format: input.responseFormat,
      watermark: input.watermark,
    },
    input.extra,
  );
}

function toCountQualityStyleBody(input: CountQualityStyleImageInput): JsonObject {
  return withoutAbsent(
    {
      prompt: input.prompt,
      model: input.model,
      n: input.count,
      size: input.size,
      quality: input.quality,
      response_format: input.responseFormat,
      style: input.style,
      user: input.user,
    },
    input.extra,
  );
}
