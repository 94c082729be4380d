import { requireBearerKey } from '../access/credentials.ts';
import type { Token } from '../access/tokens.ts';
import { isRecord } from '../../lib/json.ts';
import { invalidRequest } from '../http/errors.ts';
import { getJsonBody, replyJson, type Exchange, type Handler, type Services } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { openImage, refuseOtherSize } from '../media/image-source.ts';
import { openBill } from '../tasks/billing.ts';
import { disturbCreation, findFaults, refuseCreation } from '../tasks/faults.ts';
import { createPlainId } from '../tasks/ids.ts';
import { planAnimation } from './plan-animation.ts';
import { planFill, usesOutpaint } from './plan-fill.ts';
import { getPredictions, toFirstRecord, type PredictionWork } from './prediction.ts';
import { animationRequest, fillRequest } from './requests.ts';

/** Quota units of one prediction. */
const unitsPerPrediction = 25_000;

/** `POST /hosta/v1/predictions` */
export const handleAnimation: Handler = (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const { version: reference, input } = decodeStrictly(animationRequest, getJsonBody(exchange));
  const { model, version } = parseReference(reference);
  const seed = createSeed(services);
  return create({
    exchange,
    services,
    token,
    prompts: [input.prompt_start, input.prompt_end],
    names: [nameOf(model), model, reference],
    plan: () => ({
      model,
      version,
      seed,
      steps: input.num_inference_steps,
      output: planAnimation(input, String(seed)).map((recipe) => services.media.publish(recipe)),
    }),
  });
};

/** `POST /hosta/v1/models/{owner}/{model_name}/predictions` */
export const handleFill: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const { input } = decodeStrictly(fillRequest, getJsonBody(exchange));
  const types = ['jpg', 'jpeg', 'png', 'gif', 'webp'];
  const image = await openImage(services.media, input.image, { member: 'input.image', types });
  const isMaskUsed = input.mask !== undefined && !usesOutpaint(input.outpaint);
  const mask = isMaskUsed
    ? await openImage(services.media, input.mask ?? '', { member: 'input.mask', types })
    : undefined;
  if (mask) refuseOtherSize(image, mask, 'input.mask');
  else if (!usesOutpaint(input.outpaint) && image !== 'unseen' && !image.facts.isTransparent) {
    throw invalidRequest('input.mask: is required, since the image has no alpha mask');
  }
  const [owner = '', name = ''] = ['owner', 'model_name'].map((part) => exchange.req.param(part));
  const seed = createSeed(services);
  return create({
    exchange,
    services,
    token,
    prompts: [input.prompt],
    names: [name, `${owner}/${name}`],
    plan: () => ({
      model: `${owner}/${name}`,
      version: 'hidden',
      seed,
      steps: input.steps,
      output: services.media.publish(planFill({ input, image, mask, seed: String(seed) })),
    }),
  });
};

interface Creation {
  readonly exchange: Exchange;
  readonly services: Services;
  readonly token: Token;
  readonly prompts: readonly string[];
  /** What the model is called, the name that a channel is chosen by first. */
  readonly names: readonly [string, ...string[]];
  readonly plan: () => Omit<PredictionWork, 'input'>;
}

async function create(creation: Creation): Promise<Response> {
  const { exchange, services, token, prompts, names, plan } = creation;
  const charge = openBill(services, { token, models: names, units: unitsPerPrediction });
  const faults = findFaults(prompts);
  const refused = refuseCreation(faults);
  if (refused) return refused;

  const body = getJsonBody(exchange);
  const input = isRecord(body) ? body['input'] : undefined;
  const task = getPredictions(services).add({
    id: createPlainId(26, services.random),
    token,
    faults,
    work: { ...plan(), input },
    sizeBytes: JSON.stringify(input).length,
  });
  charge();
  return (await disturbCreation(exchange, faults)) ?? replyJson(exchange, toFirstRecord(exchange, task));
}

/** `owner/name:version`, where each part may be missing. */
function parseReference(reference: string): { model: string; version: string } {
  const colon = reference.indexOf(':');
  if (colon >= 0) return { model: reference.slice(0, colon), version: reference.slice(colon + 1) };
  return reference.includes('/')
    ? { model: reference, version: 'hidden' }
    : { model: 'sandbox/animation', version: reference };
}

function nameOf(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1);
}

function createSeed({ random }: Services): number {
  return Math.floor(random() * 2 ** 32);
}
