import { withoutAbsent } from '../../generations/request-body.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { type FilledPath, linkOf, pathOf } from '../../gateway/path.ts';
import type { JsonObject } from '../../lib/json.ts';
import { readOneTask } from '../../tasks/read-one-task.ts';
import type { TaskCall, TaskHandle, TaskLocation, TaskReading } from '../../tasks/task-kinds.ts';
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
      gif_ping_pong: input.pingPong,
      output_format: input.outputFormat,
      guidance_scale: input.guidanceScale,
      prompt_strength: input.promptStrength,
      film_interpolation: input.interpolateFrames,
      intermediate_output: input.intermediateOutput,
      num_inference_steps: input.steps,
      num_animation_frames: input.frameCount,
      gif_frames_per_second: input.framesPerSecond,
      num_interpolation_steps: input.interpolationSteps,
    },
    input.extra,
  );
  return withoutAbsent({ version: input.modelVersion, input: members });
}

/** The limits have checked that `modelOwner` and `modelName` are one path segment each. */
export function fillImagePath({ modelOwner, modelName }: FillImageInput): FilledPath {
  return pathOf`/hosta/v1/models/${modelOwner}/${modelName}/predictions`;
}

export function toFillImageBody(input: FillImageInput): JsonObject {
  const members = withoutAbsent(
    {
      image: input.image,
      prompt: input.prompt,
      mask: input.mask,
      steps: input.steps,
      guidance: input.guidanceScale,
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
  call: TaskCall,
  { links, upstreamId }: TaskHandle,
): Promise<TaskReading | undefined> {
  const address = links?.get;
  if (address === undefined) return undefined;
  return readOneTask(call, { path: linkOf(address, upstreamId) }, decodePrediction);
}

export function hasReadableAddress({ links }: TaskLocation, gateway: Gateway): boolean {
  return links?.get !== undefined && gateway.isTrusted(links.get);
}
