import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { chooseChannel } from '../access/channels.ts';
import { requireBearerKey } from '../access/credentials.ts';
import { getJsonBody, replyJson, type Handler } from '../http/routes.ts';
import type { PictureRecipe } from '../media/recipes.ts';
import { delayReply, findFaults, loseReply, refuseCreation } from '../tasks/faults.ts';
import { openBill } from '../tasks/paid-work.ts';
import { findGroupSize } from './group-size.ts';
import type { ImageOrder } from './order.ts';
import { toImageMs, waitUntil } from './pace.ts';
import { decodeImageRequest, type ImageRequest } from './parameter-sets.ts';
import { writeReplyA, writeReplyB, type WholeReply } from './reply.ts';
import { toPixels, toPixelsOfSetB } from './sizes.ts';
import { streamImages } from './stream.ts';

const unitsPerImage = 12_500;
const dayMs = 24 * 60 * 60 * 1000;
/** For requests of set B without a model. */
const defaultModel = 'gpt-image-1';

/** `POST /v1/images/generations` */
export const generateImages: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const decoded = decodeImageRequest(getJsonBody(exchange));
  const { prompt, model = defaultModel, response_format: format } = decoded.request;
  const recipes = planImages(decoded, `${services.random()} ${services.random()}`);
  const bill = { services, token };
  // The quota must cover all images; each one is charged separately.
  openBill(bill, { models: [model], units: unitsPerImage * recipes.length });
  const chargeImage = openBill(bill, { models: [model], units: unitsPerImage });
  const faults = findFaults([prompt]);
  const refused = refuseCreation(faults);
  if (refused) return refused;
  if (!(await delayReply(exchange, faults))) return RESPONSE_ALREADY_SENT;

  const order: ImageOrder = {
    exchange,
    services,
    model: chooseChannel(token.groups, model).model,
    prompt,
    recipes,
    isInline: format === 'b64_json',
    lifetimeMs: decoded.set === 'A' ? dayMs : Infinity,
    faults,
    chargeImage,
  };
  if (faults.has('cut')) {
    recipes.forEach(chargeImage);
    return loseReply(exchange, faults) ?? RESPONSE_ALREADY_SENT;
  }
  if (decoded.set === 'B') {
    const { style } = decoded.request;
    // The images of one request are made in parallel.
    return answerWhole(order, toImageMs(services), () => writeReplyB(order, style));
  }
  if (decoded.request.stream) return streamImages(order);
  return answerWhole(order, recipes.length * toImageMs(services), () => writeReplyA(order));
};

function planImages(decoded: ImageRequest, seed: string): readonly PictureRecipe[] {
  const { prompt } = decoded.request;
  const plan = (
    count: number,
    recipe: Pick<PictureRecipe, 'width' | 'height' | 'format' | 'isMarked'>,
  ): PictureRecipe[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'picture',
      prompt,
      seed: `${seed}/${index}`,
      ...recipe,
    }));
  if (decoded.set === 'B') {
    const { size, n } = decoded.request;
    return plan(n, { ...toPixelsOfSetB(size, prompt), format: 'png' });
  }
  const { size, watermark, sequential_image_generation: sequential } = decoded.request;
  const count = sequential === 'auto' ? findGroupSize(prompt) : 1;
  return plan(count, { ...toPixels(size, prompt), format: 'jpeg', isMarked: watermark });
}

/** Charges nothing if the client disconnects before the reply. */
async function answerWhole(
  { exchange, services, chargeImage }: ImageOrder,
  workMs: number,
  write: () => Promise<WholeReply>,
): Promise<Response> {
  if (!(await waitUntil(exchange, services, services.clock() + workMs))) return RESPONSE_ALREADY_SENT;
  const { body, made } = await write();
  if (exchange.env.outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  for (let paid = 0; paid < made; paid += 1) chargeImage();
  return replyJson(exchange, body);
}
