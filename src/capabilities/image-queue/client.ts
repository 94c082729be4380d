import type { WireNames } from '../../generations/wire-names.ts';
import { pathOf } from '../../gateway/path.ts';
import type { TaskCall, TaskHandle, TaskReading } from '../../tasks/task-kinds.ts';
import { readOneTask } from '../../tasks/read-one-task.ts';
import type { QueueImageInput, QueueInpaintingInput } from './inputs.ts';
import { decodeResult } from './wire.ts';

export const queueImagePath = '/hostb/flux-lora';
export const queueInpaintingPath = '/hostb/flux-lora/inpainting';

/** The fields of every request of the queue. */
const queueNames = {
  steps: 'num_inference_steps',
  guidanceScale: 'guidance_scale',
  count: 'num_images',
  enableSafetyChecker: 'enable_safety_checker',
  outputFormat: 'output_format',
} as const;

export const queueImageNames: WireNames<QueueImageInput> = {
  prompt: 'prompt',
  size: 'image_size',
  ...queueNames,
};

export const queueInpaintingNames: WireNames<QueueInpaintingInput> = {
  prompt: 'prompt',
  image: 'image_url',
  mask: 'mask_url',
  strength: 'strength',
  ...queueNames,
};

/** GET /hostb/{model_name}/requests/{request_id}. The gateway finds the model of `auto`. */
export function readQueued(
  call: TaskCall,
  { upstreamId, model = 'auto' }: TaskHandle,
): Promise<TaskReading | undefined> {
  return readOneTask(call, { path: pathOf`/hostb/${model}/requests/${upstreamId}` }, decodeResult);
}
