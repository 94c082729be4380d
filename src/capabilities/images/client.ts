import { withoutAbsent } from '../../generations/request-body.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CreateImageInput, ImageSetAInput, ImageSetBInput } from './inputs.ts';

export const imagesPath = '/v1/images/generations';

export function toImageBody({ setA, setB }: CreateImageInput): JsonObject {
  return setA ? toSetABody(setA) : toSetBBody(setB);
}

export function toSetABody(input: ImageSetAInput): JsonObject {
  const { token, pixels } = input.size ?? {};
  return withoutAbsent(
    {
      model: input.model,
      prompt: input.prompt,
      size: token ?? (pixels && `${pixels.width}x${pixels.height}`),
      sequential_image_generation: input.sequentialImageGeneration,
      response_format: input.responseFormat,
      watermark: input.watermark,
    },
    input.extra,
  );
}

function toSetBBody(input: ImageSetBInput): JsonObject {
  return withoutAbsent(
    {
      prompt: input.prompt,
      model: input.model,
      n: input.n,
      size: input.size,
      quality: input.quality,
      response_format: input.responseFormat,
      style: input.style,
      user: input.user,
    },
    input.extra,
  );
}
