import type { Exchange } from '../http/routes.ts';
import { getOrigin } from '../http/routes.ts';
import { perSandbox } from '../per-sandbox.ts';
import { findDistortion, unknownWord } from '../tasks/faults.ts';
import { createTaskList, type Task } from '../tasks/task-list.ts';
import type { Phase, Progress } from '../tasks/timeline.ts';

/** The one model of this family. */
export const modelName = 'flux-lora';

/** A request for images, and the images that come of it. */
export interface ImageWork {
  /** As it was submitted. */
  readonly request: unknown;
  readonly prompt: string;
  /** May be beyond 2^53. */
  readonly seed: bigint;
  readonly images: readonly QueuedImage[];
  readonly isNsfw: boolean;
}

export interface QueuedImage {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
}

export type ImageTask = Task<ImageWork>;

export const getQueue = perSandbox(createTaskList<ImageWork>);

/** What is told of a request while it waits and runs. */
export function toAcknowledgement(
  exchange: Exchange,
  task: ImageTask,
  { status, progress }: { readonly status: string; readonly progress: Progress },
): Record<string, unknown> {
  const address = `${getOrigin(exchange)}/hostb/${modelName}/requests/${task.id}`;
  return {
    status,
    request_id: task.id,
    response_url: address,
    status_url: `${address}/status`,
    cancel_url: `${address}/cancel`,
    logs: null,
    metrics: progress.phase === 'succeeded' ? { inference_time: inferenceSeconds(progress) } : {},
    queue_position: progress.phase === 'queued' ? Math.max(0, 2 - Math.floor(progress.elapsed * 15)) : 0,
    ...(progress.phase === 'failed' && { error: failReason }),
  };
}

/** The record of a request that is done. */
export function toResult(
  exchange: Exchange,
  { work }: ImageTask,
  progress: Progress,
): Record<string, unknown> {
  const origin = getOrigin(exchange);
  return {
    seed: work.seed,
    images: work.images.map(({ path, width, height, contentType }) => ({
      url: origin + path,
      width,
      height,
      content_type: contentType,
    })),
    prompt: work.prompt,
    request: work.request,
    timings: { inference: inferenceSeconds(progress) },
    has_nsfw_concepts: work.images.map(() => work.isNsfw),
  };
}

/** The status word of a read, faults included. */
export function toStatusWord(task: ImageTask, { phase }: Progress): string {
  const distortion = findDistortion(task, phase);
  if (distortion === 'unknown-word') return unknownWord;
  if (distortion === 'success-too-early') return words.succeeded;
  if (distortion === 'never-successful') return words.running;
  return words[phase];
}

const failReason = 'The model ran out of memory while it was generating';

const words: Readonly<Record<Phase, string>> = {
  queued: 'IN_QUEUE',
  running: 'IN_PROGRESS',
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  canceled: 'CANCELED',
};

function inferenceSeconds({ startedAtMs = 0, finishedAtMs = 0 }: Progress): number {
  return (finishedAtMs - startedAtMs) / 1000;
}
