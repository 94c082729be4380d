import type { Token } from '../access/tokens.ts';
import { getJsonBody, replyJson, type Exchange, type Handler, type Services } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { openImage, refuseOtherSize, type ImageSource } from '../media/image-source.ts';
import type { PictureFormat, Recipe } from '../media/recipes.ts';
import { openBill } from '../tasks/billing.ts';
import { disturbCreation, findFaults, refuseCreation } from '../tasks/faults.ts';
import { createUuid } from '../tasks/ids.ts';
import { requireQueueKey } from './access.ts';
import { getQueue, modelName, toAcknowledgement } from './queue.ts';
import { defaultImageSize, generationRequest, imageSizes, inpaintingRequest } from './requests.ts';

/** Quota units of one image. */
const unitsPerImage = 12_500;

/** `POST /hostb/flux-lora` */
export const handleGeneration: Handler = (exchange, services) => {
  const token = requireQueueKey(exchange, services);
  const request = decodeStrictly(generationRequest, getJsonBody(exchange));
  const size = imageSizes[request.image_size ?? defaultImageSize];
  return submit({
    exchange,
    services,
    token,
    request,
    paint: (canvas) => ({ kind: 'picture', ...canvas, ...size }),
  });
};

/** `POST /hostb/flux-lora/inpainting` */
export const handleInpainting: Handler = async (exchange, services) => {
  const token = requireQueueKey(exchange, services);
  const request = decodeStrictly(inpaintingRequest, getJsonBody(exchange));
  const types = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'];
  const image = await openImage(services.media, request.image_url, { member: 'image_url', types });
  const mask = await openImage(services.media, request.mask_url, { member: 'mask_url', types });
  refuseOtherSize(image, mask, 'mask_url');
  const size = sizeOf(image, mask);
  return submit({
    exchange,
    services,
    token,
    request,
    paint: (canvas) => ({
      kind: 'repaint',
      ...canvas,
      ...size,
      image: image === 'unseen' ? undefined : image.bytes,
      mask: mask === 'unseen' ? 'unseen' : mask.bytes,
    }),
  });
};

interface Submission {
  readonly exchange: Exchange;
  readonly services: Services;
  readonly token: Token;
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

async function submit({ exchange, services, token, request, paint }: Submission): Promise<Response> {
  const { prompt, num_images: count = 1, output_format: format = 'jpeg' } = request;
  const charge = openBill(services, { token, models: [modelName], units: unitsPerImage * count });
  const faults = findFaults([prompt]);
  const refused = refuseCreation(faults);
  if (refused) return refused;

  const isNsfw = request.enable_safety_checker !== false && /\bnsfw\b/i.test(prompt);
  const seed = createSeed(services.random);
  const images = Array.from({ length: count }, (_, index) => {
    const recipe = paint({ prompt, seed: `${seed}/${index}`, format, isBlack: isNsfw });
    const { width, height } = recipe;
    return { path: services.media.publish(recipe), width, height, contentType: `image/${format}` };
  });
  const queue = getQueue(services);
  const task = queue.add({
    id: createUuid(services.random),
    token,
    faults,
    work: { request: getJsonBody(exchange), prompt, seed, images, isNsfw },
    sizeBytes: JSON.stringify(request).length,
  });
  charge();
  const disturbed = await disturbCreation(exchange, faults);
  if (disturbed) return disturbed;
  const progress = queue.progressOf(task);
  return replyJson(
    exchange,
    // However fast the rest is: a request begins in the queue.
    toAcknowledgement(exchange, task, {
      status: 'IN_QUEUE',
      progress: { ...progress, phase: 'queued', elapsed: 0 },
    }),
  );
}

/** 63 bits, as the model's seeds have. */
function createSeed(random: () => number): bigint {
  const part = (bits: number): bigint => BigInt(Math.floor(random() * 2 ** bits));
  return (part(31) << 32n) | part(32);
}

function sizeOf(image: ImageSource, mask: ImageSource): { readonly width: number; readonly height: number } {
  const seen = image === 'unseen' ? mask : image;
  if (seen === 'unseen') return imageSizes[defaultImageSize];
  return { width: seen.facts.width, height: seen.facts.height };
}
