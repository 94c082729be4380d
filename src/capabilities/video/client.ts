import { withoutAbsent } from '../../generations/request-body.ts';
import { pathOf } from '../../gateway/gateway.ts';
import type { JsonObject } from '../../lib/json.ts';
import { decimalText } from '../../lib/text.ts';
import { readIfFound } from '../../tasks/read-if-found.ts';
import type { TaskCall, TaskHandle, TaskReading } from '../../tasks/task-kinds.ts';
import type {
  CharacterVideoInput,
  CreateReferenceVideoInput,
  CreateTransitionVideoInput,
  CreateVideoInput,
  ImagesVideoInput,
} from './inputs.ts';
import { decodeHandledVideo, isVideoRefusal } from './wire.ts';

export const videoPath = '/v1/video/create';
export const referenceVideoPath = '/v1/videos/generations';
export const transitionVideoPath = '/openapi/v2/video/multi_transition/generate';

export function toVideoBody({ images, character }: CreateVideoInput): JsonObject {
  return images ? toImagesBody(images) : character ? toCharacterBody(character) : {};
}

function toImagesBody(input: ImagesVideoInput): JsonObject {
  const { images, model, orientation, prompt, size, duration, watermark } = input;
  return withoutAbsent(
    // Required, and typed as text in the gateway's document.
    { images, model, orientation, prompt, size, duration, watermark: String(watermark ?? true) },
    input.extra,
  );
}

function toCharacterBody(input: CharacterVideoInput): JsonObject {
  const { images, model, orientation, prompt, duration, characterTimestamps: span, size } = input;
  return withoutAbsent(
    {
      images,
      model,
      orientation,
      prompt,
      duration,
      character_url: input.characterUrl,
      character_timestamps: span && `${decimalText(span.start, 3)},${decimalText(span.end, 3)}`,
      size,
    },
    input.extra,
  );
}

export function toReferenceVideoBody(input: CreateReferenceVideoInput): JsonObject {
  return withoutAbsent(
    {
      model: input.model,
      prompt: input.prompt,
      resolution: input.resolution,
      aspect_ratio: input.aspectRatio,
      duration: input.duration,
      image: input.reference?.image,
      reference_images: input.reference?.referenceImages,
    },
    input.extra,
  );
}

export function toTransitionVideoBody(input: CreateTransitionVideoInput): JsonObject {
  const transitions = input.frames.map(({ imageId, duration, prompt }) =>
    withoutAbsent({ img_id: imageId, duration, prompt }),
  );
  return withoutAbsent(
    { multi_transition: transitions, model: input.model, quality: input.quality },
    input.extra,
  );
}

/** GET /videoa/v1/videos/multi-image2video/{id}. */
export function readMultiImageVideo(
  call: TaskCall,
  { upstreamId }: TaskHandle,
): Promise<TaskReading | undefined> {
  return readHandled(call, pathOf`/videoa/v1/videos/multi-image2video/${upstreamId}`);
}

/** GET /videoa/v1/videos/advanced-lip-sync/{id}. */
export function readLipSync(call: TaskCall, { upstreamId }: TaskHandle): Promise<TaskReading | undefined> {
  return readHandled(call, pathOf`/videoa/v1/videos/advanced-lip-sync/${upstreamId}`);
}

async function readHandled({ gateway, caller }: TaskCall, path: string): Promise<TaskReading | undefined> {
  const reply = await readIfFound(() => gateway.read({ path, caller, isRefusal: isVideoRefusal }));
  return reply === undefined ? undefined : decodeHandledVideo(reply);
}
