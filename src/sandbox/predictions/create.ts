import { isRecord } from '../../lib/json.ts';
import { invalidRequest } from '../http/errors.ts';
import type { Services } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { openImage, refuseOtherSize } from '../media/image-source.ts';
import { createPlainId } from '../tasks/ids.ts';
import type { TaskOrder } from '../tasks/task-family.ts';
import { planAnimation } from './plan-animation.ts';
import { planFill, usesOutpaint } from './plan-fill.ts';
import { predictions, type PredictionWork } from './predictions.ts';
import { animationRequest, fillRequest } from './requests.ts';

const unitsPerPrediction = 25_000;
const imageTypes = ['jpg', 'jpeg', 'png', 'gif', 'webp'];

/** `POST /hosta/v1/predictions` */
export const createAnimation = predictions.create((body, { services }) => {
  const { version: reference, input } = decodeStrictly(animationRequest, body);
  const { model, version } = parseReference(reference);
  return toOrder(services, body, {
    models: [model.slice(model.lastIndexOf('/') + 1), model, reference],
    texts: [input.prompt_start, input.prompt_end],
    plan: (seed) => ({
      model,
      version,
      steps: input.num_inference_steps,
      output: planAnimation(input, String(seed)).map((recipe) => services.media.publish(recipe)),
    }),
  });
});

/** `POST /hosta/v1/models/{owner}/{model_name}/predictions` */
export const createFill = predictions.create(async (body, { exchange, services }) => {
  const { input } = decodeStrictly(fillRequest, body);
  const image = await openImage(services.media, input.image, { member: 'input.image', types: imageTypes });
  const isMaskUsed = input.mask !== undefined && !usesOutpaint(input.outpaint);
  const mask = isMaskUsed
    ? await openImage(services.media, input.mask ?? '', { member: 'input.mask', types: imageTypes })
    : undefined;
  if (mask) refuseOtherSize(image, mask, 'input.mask');
  else if (!usesOutpaint(input.outpaint) && image !== 'unseen' && !image.facts.isTransparent) {
    throw invalidRequest('input.mask: is required, since the image has no alpha mask');
  }
  const { owner = '', model_name: name = '' } = exchange.req.param();
  const model = `${owner}/${name}`;
  return toOrder(services, body, {
    models: [name, model],
    texts: [input.prompt],
    plan: (seed) => ({
      model,
      version: 'hidden',
      steps: input.steps,
      output: services.media.publish(planFill({ input, image, mask, seed: String(seed) })),
    }),
  });
});

interface Prediction extends Pick<TaskOrder<PredictionWork>, 'models' | 'texts'> {
  readonly plan: (seed: number) => Omit<PredictionWork, 'input' | 'seed'>;
}

function toOrder(
  services: Services,
  body: unknown,
  { plan, ...order }: Prediction,
): TaskOrder<PredictionWork> {
  const input = isRecord(body) ? body['input'] : undefined;
  const seed = Math.floor(services.random() * 2 ** 32);
  return {
    ...order,
    units: unitsPerPrediction,
    plan: () => ({
      id: createPlainId(26, services.random),
      work: { ...plan(seed), input, seed },
      sizeBytes: JSON.stringify(input).length,
    }),
  };
}

/** `owner/name:version`, where each part can be missing. */
function parseReference(reference: string): { model: string; version: string } {
  const colon = reference.indexOf(':');
  if (colon >= 0) return { model: reference.slice(0, colon), version: reference.slice(colon + 1) };
  return reference.includes('/')
    ? { model: reference, version: 'hidden' }
    : { model: 'sandbox/animation', version: reference };
}
