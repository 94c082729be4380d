import { z } from 'zod';
import type { CrossRule, ExpressedRule, InputLimits } from '../../generations/check-input.ts';
import { anyImageSource } from '../../generations/image-source.ts';
import { modelName } from '../../generations/model-name.ts';
import { anyCase, has, may, when } from '../../generations/rule-schemas.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import { isWebAddress, webAddressPattern } from '../../lib/addresses.ts';
import { fromImagesNames, timestampText, withCharacterNames } from './client.ts';
import type {
  CreateReferenceVideoInput,
  CreateTransitionVideoInput,
  CreateVideoInput,
  VideoFromImagesInput,
  VideoWithCharacterInput,
} from './inputs.ts';

const name = z.string().trim().min(1);

const oneOf = (...seconds: readonly number[]) => {
  const limit = `${seconds.slice(0, -1).join(', ')} or ${seconds.at(-1)}`;
  return z.number().refine((value) => seconds.includes(value), {
    error: `Must be ${limit} seconds.`,
    params: { limit, schema: { enum: seconds } },
  });
};

/** The gateway's document, "Limits", row /v1/video/create, variant 1. Its example also sends 15. */
const videoFromImagesLimits: InputLimits<VideoFromImagesInput> = {
  members: z.object({
    images: z.array(anyImageSource).min(1),
    model: modelName,
    prompt: name,
    durationSeconds: oneOf(10, 15),
  }),
  ...declaredBy(fromImagesNames, { withCharacter: withCharacterNames }),
};

/** Models known to be in the standard tier. Any other name may be an alias of a pro model. */
const standardModel = new RegExp(String.raw`^\s*${anyCase('sora')}-2(-\d{4}-\d{2}-\d{2})?\s*$`);

const longVideosNeedPro: ExpressedRule<VideoWithCharacterInput> = {
  schema: when(
    may('model', { pattern: standardModel.source }),
    may('durationSeconds', { not: { const: 25 } }),
  ),
  check({ model, durationSeconds }, report) {
    if (durationSeconds !== 25 || !standardModel.test(model)) return;
    report(['durationSeconds'], {
      message: `25 seconds need a pro model; ${model.trim()} is a standard model.`,
      limit: '10 or 15',
      received: '25',
    });
  },
};

const spanLimit = 'The character span must be 1 to 3 seconds long.';

/** A whole number, as sent: 5.1 - 4.1 is slightly less than 1 in floating point. */
const toMilliseconds = (seconds: number): number => Math.round(Number(timestampText(seconds)) * 1000);

const spanIsShort: CrossRule<VideoWithCharacterInput> = ({ characterTimestamps: span }, report) => {
  if (!span) return;
  const seconds = (toMilliseconds(span.endSeconds) - toMilliseconds(span.startSeconds)) / 1000;
  if (seconds >= 1 && seconds <= 3) return;
  report(['characterTimestamps', 'endSeconds'], {
    message: spanLimit,
    limit: '1 to 3 seconds after startSeconds',
    received: `${seconds} seconds after start`,
  });
};

const spanHasVideo: ExpressedRule<VideoWithCharacterInput> = {
  schema: when(has('characterTimestamps', { type: 'object' }), has('characterUrl', { type: 'string' })),
  check({ characterTimestamps, characterUrl }, report) {
    if (!characterTimestamps || typeof characterUrl === 'string') return;
    report(['characterUrl'], {
      message: 'characterTimestamps needs characterUrl, the video of the span.',
      limit: 'required with characterTimestamps',
    });
  },
};

/** The same row, variant 2. */
const videoWithCharacterLimits: InputLimits<VideoWithCharacterInput> = {
  members: z.object({
    images: z.array(anyImageSource).nullish(),
    model: modelName,
    prompt: name,
    durationSeconds: oneOf(10, 15, 25).nullish(),
    characterUrl: z
      .string()
      .refine(isWebAddress, {
        error: 'Must be an http(s) URL of a video.',
        params: { limit: 'http(s) address', schema: { pattern: webAddressPattern }, isPart: true },
      })
      .nullish(),
    characterTimestamps: z.object({ startSeconds: z.number().min(0) }).nullish(),
  }),
  rules: {
    'A durationSeconds of 25 needs a pro model.': longVideosNeedPro,
    [`characterTimestamps: ${spanLimit}`]: spanIsShort,
    'characterTimestamps needs characterUrl.': spanHasVideo,
  },
  ...declaredBy(withCharacterNames, { fromImages: fromImagesNames }),
};

export const videoLimits: InputLimits<CreateVideoInput> = {
  members: z.object({}),
  declared: [],
  alternatives: { fromImages: videoFromImagesLimits, withCharacter: videoWithCharacterLimits },
};

/** The gateway's document, "Limits", row Video generation with reference images. */
export const referenceVideoLimits: InputLimits<CreateReferenceVideoInput> = {
  members: z.object({
    model: modelName,
    prompt: name,
    durationSeconds: z.number().min(1).max(15),
    reference: z
      .object({
        image: anyImageSource.nullish(),
        images: z.array(anyImageSource).min(1).nullish(),
      })
      .nullish(),
  }),
  declared: ['model', 'prompt', 'resolution', 'aspect_ratio', 'duration', 'image', 'reference_images'],
  renamed: { duration: 'durationSeconds', image: 'reference.image', reference_images: 'reference.images' },
};

const maxFrames = 7;
const timedFrame = has('durationSeconds', { type: 'integer' });

const onlyLastFrameOmitsDuration: ExpressedRule<CreateTransitionVideoInput> = {
  schema: may('frames', {
    allOf: Array.from({ length: maxFrames - 1 }, (_, index) =>
      when(
        { minItems: index + 2 },
        { prefixItems: [...Array.from({ length: index }, () => true), timedFrame] },
      ),
    ),
  }),
  check({ frames }, report) {
    for (const [index, { durationSeconds }] of frames.slice(0, -1).entries()) {
      if (durationSeconds !== null && durationSeconds !== undefined) continue;
      report(['frames', index, 'durationSeconds'], {
        message: 'Only the last image may omit its duration.',
        limit: 'seconds to the next image',
      });
    }
  },
};

/** The gateway's document, "Limits", row Multi-frame transition video. It has no limit for a duration, except that it is at least 1. */
export const transitionVideoLimits: InputLimits<CreateTransitionVideoInput> = {
  members: z.object({
    frames: z
      .array(z.object({ durationSeconds: z.number().min(1).nullish() }))
      .min(2)
      .max(maxFrames),
  }),
  rules: { 'Only the last of the frames may omit durationSeconds.': onlyLastFrameOmitsDuration },
  declared: ['multi_transition', 'model', 'quality'],
  renamed: { multi_transition: 'frames', quality: 'resolution' },
};
