import { withoutAbsent } from '../../generations/request-body.ts';
import { type Gateway, pathOf } from '../../gateway/gateway.ts';
import type { JsonObject } from '../../lib/json.ts';
import { readIfFound } from '../../tasks/read-if-found.ts';
import type { TaskCall, TaskHandle, TaskReading } from '../../tasks/task-kinds.ts';
import type { CreateAnimationInput, FillImageInput } from './inputs.ts';
import { decodePrediction } from './wire.ts';

export const predictionsPath = '/hosta/v1/predictions';

export function toAnimationBody(input: CreateAnimationInput): JsonObject {
  const members = withoutAbsent(
    {
      prompt_start: input.promptStart,
      prompt_end: input.promptEnd,
      width: input.width,
      height: input.height,
      gif_ping_pong: input.gifPingPong,
      output_format: input.outputFormat,
      guidance_scale: input.guidanceScale,
      prompt_strength: input.promptStrength,
      film_interpolation: input.filmInterpolation,
      intermediate_output: input.intermediateOutput,
      num_inference_steps: input.numInferenceSteps,
      num_animation_frames: input.numAnimationFrames,
      gif_frames_per_second: input.gifFramesPerSecond,
      num_interpolation_steps: input.numInterpolationSteps,
    },
    input.extra,
  );
  return withoutAbsent({ version: input.version, input: members });
}

/** The limits have checked that `owner` and `modelName` are one path segment each. */
export function fillImagePath({ owner, modelName }: FillImageInput): string {
  return pathOf`/hosta/v1/models/${owner}/${modelName}/predictions`;
}

export function toFillImageBody(input: FillImageInput): JsonObject {
  const members = withoutAbsent(
    {
      image: input.image,
      prompt: input.prompt,
      mask: input.mask,
      steps: input.steps,
      guidance: input.guidance,
      outpaint: input.outpaint,
      output_format: input.outputFormat,
      safety_tolerance: input.safetyTolerance,
      prompt_upsampling: input.promptUpsampling,
    },
    input.extra,
  );
  return { input: members };
}

/** Reads a prediction at the URL in the reply to its create. The gateway documents no other URL for reads. */
export async function readPrediction(
  { gateway, caller }: TaskCall,
  { links }: TaskHandle,
): Promise<TaskReading | undefined> {
  const address = links?.get;
  if (address === undefined) return undefined;
  const reply = await readIfFound(() => gateway.read({ path: address, caller }));
  return reply === undefined ? undefined : decodePrediction(reply);
}

export function hasReadableAddress({ links }: TaskHandle, gateway: Gateway): boolean {
  return links?.get !== undefined && gateway.isTrusted(links.get);
}
