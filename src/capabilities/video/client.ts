import { withoutAbsent } from '../../generations/request-body.ts';
import { toBody, type WireNames } from '../../generations/wire-names.ts';
import { type FilledPath, pathOf } from '../../gateway/path.ts';
import type { JsonObject } from '../../lib/json.ts';
import { decimalText } from '../../lib/text.ts';
import { readOneTask } from '../../tasks/read-one-task.ts';
import type { TaskCall, TaskHandle, TaskReading } from '../../tasks/task-kinds.ts';
import { isTaskRefusal } from '../../tasks/task-record.ts';
import type {
  VideoWithCharacterInput,
  CreateReferenceVideoInput,
  CreateTransitionVideoInput,
  CreateVideoInput,
  VideoFromImagesInput,
} from './inputs.ts';
import { decodeHandledVideo } from './wire.ts';

export const videoPath = '/v1/video/create';
export const referenceVideoPath = '/v1/videos/generations';
export const transitionVideoPath = '/openapi/v2/video/multi_transition/generate';

export function toVideoBody({ fromImages, withCharacter }: CreateVideoInput): JsonObject {
  return fromImages ? toImagesBody(fromImages) : withCharacter ? toCharacterBody(withCharacter) : {};
}

export const fromImagesNames: WireNames<VideoFromImagesInput> = {
  images: 'images',
  model: 'model',
  orientation: 'orientation',
  prompt: 'prompt',
  size: 'size',
  durationSeconds: 'duration',
  allowWatermark: 'watermark',
};

function toImagesBody(input: VideoFromImagesInput): JsonObject {
  // Required, and typed as text in the gateway's document.
  return toBody(fromImagesNames, input, { watermark: String(input.allowWatermark ?? true) });
}

export const withCharacterNames: WireNames<VideoWithCharacterInput> = {
  images: 'images',
  model: 'model',
  orientation: 'orientation',
  prompt: 'prompt',
  durationSeconds: 'duration',
  characterUrl: 'character_url',
  characterTimestamps: 'character_timestamps',
  size: 'size',
};

function toCharacterBody(input: VideoWithCharacterInput): JsonObject {
  const { characterTimestamps: span } = input;
  return toBody(withCharacterNames, input, {
    character_timestamps: span && `${timestampText(span.startSeconds)},${timestampText(span.endSeconds)}`,
  });
}

/** Seconds with at most three decimals. */
export function timestampText(seconds: number): string {
  return decimalText(seconds, 3);
}

export function toReferenceVideoBody(input: CreateReferenceVideoInput): JsonObject {
  const { image, images } = input.reference ?? {};
  return withoutAbsent(
    {
      model: input.model,
      prompt: input.prompt,
      resolution: input.resolution,
      aspect_ratio: input.aspectRatio,
      duration: input.durationSeconds,
      image: image === null || image === undefined ? undefined : { url: image },
      reference_images: images?.map((url) => ({ url })),
    },
    input.extra,
  );
}

export function toTransitionVideoBody(input: CreateTransitionVideoInput): JsonObject {
  const transitions = input.frames.map(({ imageId, durationSeconds, prompt }) =>
    withoutAbsent({ img_id: imageId, duration: durationSeconds, prompt }),
  );
  return withoutAbsent(
    { multi_transition: transitions, model: input.model, quality: input.resolution },
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

function readHandled(call: TaskCall, path: FilledPath): Promise<TaskReading | undefined> {
  return readOneTask(call, { path, isRefusal: isTaskRefusal }, decodeHandledVideo);
}
