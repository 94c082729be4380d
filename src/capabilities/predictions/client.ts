import { withoutAbsent } from '../../generations/request-body.ts';
import { toBody, type WireNames } from '../../generations/wire-names.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { type FilledPath, linkOf, pathOf } from '../../gateway/path.ts';
import type { JsonObject } from '../../lib/json.ts';
import { readOneTask } from '../../tasks/read-one-task.ts';
import type { TaskCall, TaskHandle, TaskLocation, TaskReading } from '../../tasks/task-kinds.ts';
import type { CreateAnimationInput, FillImageInput } from './inputs.ts';
import { decodePrediction } from './wire.ts';

export const predictionsPath = '/hosta/v1/predictions';

/** Of the members of `input`. */
export const animationNames: WireNames<Omit<CreateAnimationInput, 'modelVersion'>> = {
  promptStart: 'prompt_start',
  promptEnd: 'prompt_end',
  width: 'width',
  height: 'height',
  pingPong: 'gif_ping_pong',
  outputFormat: 'output_format',
  guidanceScale: 'guidance_scale',
  promptStrength: 'prompt_strength',
  interpolateFrames: 'film_interpolation',
  intermediateOutput: 'intermediate_output',
  steps: 'num_inference_steps',
  frameCount: 'num_animation_frames',
  framesPerSecond: 'gif_frames_per_second',
  interpolationSteps: 'num_interpolation_steps',
};

export function toAnimationBody(input: CreateAnimationInput): JsonObject {
  return withoutAbsent({ version: input.modelVersion, input: toBody(animationNames, input) });
}

/** The limits have checked that `modelOwner` and `modelName` are one path segment each. */
export function fillImagePath({ modelOwner, modelName }: FillImageInput): FilledPath {
  return pathOf`/hosta/v1/models/${modelOwner}/${modelName}/predictions`;
}

/** Of the members of `input`. */
export const fillImageNames: WireNames<Omit<FillImageInput, 'modelOwner' | 'modelName'>> = {
  image: 'image',
  prompt: 'prompt',
  mask: 'mask',
  steps: 'steps',
  guidanceScale: 'guidance',
  outpaint: 'outpaint',
  outputFormat: 'output_format',
  safetyTolerance: 'safety_tolerance',
  promptUpsampling: 'prompt_upsampling',
};

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
