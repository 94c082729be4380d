import { withoutAbsent } from '../../generations/request-body.ts';
import { pathOf } from '../../gateway/path.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { TaskCall, TaskHandle, TaskReading } from '../../tasks/task-kinds.ts';
import { readOneTask } from '../../tasks/read-one-task.ts';
import type { QueueImageInput, QueueInpaintingInput } from './inputs.ts';
import { decodeResult } from './wire.ts';

export const queueImagePath = '/hostb/flux-lora';
export const queueInpaintingPath = '/hostb/flux-lora/inpainting';

export function toQueueImageBody(input: QueueImageInput): JsonObject {
  return withoutAbsent(
    {
      prompt: input.prompt,
      image_size: input.size,
      ...toQueueMembers(input),
    },
    input.extra,
  );
}

export function toQueueInpaintingBody(input: QueueInpaintingInput): JsonObject {
  return withoutAbsent(
    {
      prompt: input.prompt,
      image_url: input.image,
      mask_url: input.mask,
      strength: input.strength,
      ...toQueueMembers(input),
    },
    input.extra,
  );
}

/** The members of every request of the queue. */
function toQueueMembers(input: QueueImageInput | QueueInpaintingInput): object {
  return {
    num_inference_steps: input.steps,
    guidance_scale: input.guidanceScale,
    num_images: input.count,
    enable_safety_checker: input.enableSafetyChecker,
    output_format: input.outputFormat,
  };
}

/** GET /hostb/{model_name}/requests/{request_id}. The gateway finds the model of `auto`. */
export function readQueued(
  call: TaskCall,
  { upstreamId, model = 'auto' }: TaskHandle,
): Promise<TaskReading | undefined> {
  return readOneTask(call, { path: pathOf`/hostb/${model}/requests/${upstreamId}` }, decodeResult);
}
