import { requireBearerKey } from '../access/credentials.ts';
import { notFound, Refusal } from '../http/errors.ts';
import { getQuery, replyJson, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { openImage, refuseOtherSize } from '../media/image-source.ts';
import type { PictureFormat, Recipe } from '../media/recipes.ts';
import { createUuid, createWideInteger } from '../tasks/ids.ts';
import type { Call } from '../tasks/paid-work.ts';
import { commonWords, outOfMemory } from '../tasks/read-task.ts';
import { createTaskFamily, type TaskOrder, type TaskView } from '../tasks/task-family.ts';
import type { Task } from '../tasks/task-list.ts';
import type { Progress } from '../tasks/timeline.ts';
import { defaultImageSize, generationRequest, imageSizes, inpaintingRequest } from './requests.ts';

const unitsPerImage = 12_500;
/** The one model of this family. */
const modelName = 'flux-lora';

interface ImageWork {
  /** As submitted. */
  readonly request: unknown;
  readonly prompt: string;
  /** Can be beyond 2^53. */
  readonly seed: bigint;
  readonly images: readonly {
    readonly path: string;
    readonly width: number;
    readonly height: number;
    readonly content_type: string;
  }[];
  readonly isNsfw: boolean;
}

type ImageView = TaskView<ImageWork, string>;

const queue = createTaskFamily<ImageWork, string>({
  noun: 'request',
  words: {
    queued: 'IN_QUEUE',
    running: 'IN_PROGRESS',
    succeeded: 'COMPLETED',
    failed: 'FAILED',
    canceled: 'CANCELED',
    unknown: commonWords.unknown,
  },
  // The gateway documents no credential for this family. SDKs of queues send "Key" in place of "Bearer".
  authenticate: (exchange, services) => requireBearerKey(exchange, services, 'Key'),
  toRecord: toAcknowledgement,
});

/** `POST /hostb/flux-lora` */
export const queueImages = queue.create((body, call) => {
  const request = decodeStrictly(generationRequest, body);
  const size = imageSizes[request.image_size ?? defaultImageSize];
  return toOrder(call, body, {
    request,
    paint: (canvas) => ({ kind: 'picture', ...canvas, ...size }),
  });
});

/** `POST /hostb/flux-lora/inpainting` */
export const queueInpainting = queue.create(async (body, call) => {
  const { media } = call.services;
  const request = decodeStrictly(inpaintingRequest, body);
  const image = await openImage(media, request.image_url, { member: 'image_url' });
  const mask = await openImage(media, request.mask_url, { member: 'mask_url' });
  refuseOtherSize(image, mask, 'mask_url');
  const seen = [image, mask].find((source) => source !== 'unseen');
  const { width, height } = seen?.facts ?? imageSizes[defaultImageSize];
  return toOrder(call, body, {
    request,
    paint: (canvas) => ({
      kind: 'repaint',
      ...canvas,
      width,
      height,
      image: image === 'unseen' ? undefined : image.bytes,
      mask: mask === 'unseen' ? 'unseen' : mask.bytes,
    }),
  });
});

/** `GET /hostb/{model_name}/requests/{request_id}` */
export const readResult = queue.read({ find, toReply: toResult });

/** `GET …/status`. SDKs say whether they want logs; the sandbox has none. */
export const readStatus = queue.read({ find: (call) => find(call, ['logs']) });

/** `PUT` or `POST …/cancel` */
export const cancelRequest: Handler = (exchange, services) => {
  const task = find(queue.authenticate(exchange, services));
  const hasEnded = !queue.list(services).cancel(task);
  const view = queue.view({ exchange, services }, task);
  if (!hasEnded || view.progress.phase === 'canceled') return replyJson(exchange, toAcknowledgement(view));
  throw new Refusal({
    status: 400,
    code: 'already_completed',
    type: 'invalid_request_error',
    message: `${task.id}: the request has ended already`,
  });
};

interface ImageOrder {
  readonly request: {
    readonly prompt: string;
    readonly num_images?: number | undefined;
    readonly output_format?: PictureFormat | undefined;
    readonly enable_safety_checker?: boolean | undefined;
  };
  readonly paint: (canvas: {
    readonly prompt: string;
    readonly seed: string;
    readonly format: PictureFormat;
    readonly isBlack: boolean;
  }) => Recipe & { readonly width: number; readonly height: number };
}

function toOrder({ services }: Call, body: unknown, { request, paint }: ImageOrder): TaskOrder<ImageWork> {
  const { prompt, num_images: count = 1, output_format: format = 'jpeg' } = request;
  return {
    models: [modelName],
    units: unitsPerImage * count,
    texts: [prompt],
    plan: () => {
      const isNsfw = request.enable_safety_checker !== false && /\bnsfw\b/i.test(prompt);
      const seed = createWideInteger(services.random);
      const images = Array.from({ length: count }, (_, index) => {
        const recipe = paint({ prompt, seed: `${seed}/${index}`, format, isBlack: isNsfw });
        const { width, height } = recipe;
        return { path: services.media.publish(recipe), width, height, content_type: `image/${format}` };
      });
      const work = { request: body, prompt, seed, images, isNsfw };
      return { id: createUuid(services.random), work, sizeBytes: JSON.stringify(request).length };
    },
  };
}

function find(call: Call, query: readonly string[] = []): Task<ImageWork> {
  getQuery(call.exchange, query);
  const { model_name: model = '', id = '' } = call.exchange.req.param();
  if (model !== 'auto' && model !== modelName) throw notFound(`${id}: no such request of model ${model}`);
  return queue.get(call, id);
}

/** The record of a request without a result. */
function toAcknowledgement({ id, status, progress, hasFailed, origin }: ImageView): object {
  const { phase, elapsed } = progress;
  const address = `${origin}/hostb/${modelName}/requests/${id}`;
  return {
    status,
    request_id: id,
    response_url: address,
    status_url: `${address}/status`,
    cancel_url: `${address}/cancel`,
    logs: null,
    metrics: phase === 'succeeded' ? { inference_time: inferenceSeconds(progress) } : {},
    queue_position: phase === 'queued' ? Math.max(0, 2 - Math.floor(elapsed * 15)) : 0,
    ...(hasFailed && { error: outOfMemory }),
  };
}

function toResult(view: ImageView): object {
  const { work, status, progress, hasResult, mediaOrigin } = view;
  if (!hasResult) return toAcknowledgement(view);
  return {
    seed: work.seed,
    images: work.images.map(({ path, ...image }) => ({ url: mediaOrigin + path, ...image })),
    prompt: work.prompt,
    request: work.request,
    timings: { inference: inferenceSeconds(progress) },
    has_nsfw_concepts: work.images.map(() => work.isNsfw),
    // Only `fault:contradict-late` gives a complete result another status.
    ...(status !== 'COMPLETED' && { status }),
  };
}

function inferenceSeconds({ startedAtMs = 0, finishedAtMs = 0 }: Progress): number {
  return (finishedAtMs - startedAtMs) / 1000;
}
