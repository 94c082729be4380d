import { requireBearerKey } from '../access/credentials.ts';
import { invalidRequest } from '../http/errors.ts';
import { getJsonBody, replyJson, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { openBill } from '../tasks/billing.ts';
import { createUuid } from '../tasks/ids.ts';
import { getStudio, recordClip, toWireClip } from './clips.ts';
import { speedRequest } from './requests.ts';

/** Clips can be slowed down again and again: at some length it is enough. */
const maxSeconds = 600;

/** `POST /music/submit/adjust-speed`: answers at once, for nothing. */
export const handleAdjustSpeed: Handler = (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const {
    clip_id: id,
    speed,
    keep_pitch: isPitchKept = false,
  } = decodeStrictly(speedRequest, getJsonBody(exchange));
  const studio = getStudio(services);
  const original = studio.requireClip(token, id, 'clip_id');
  const charge = openBill(services, { token, models: [original.version], units: 0 });
  if (original.durationSeconds / speed > maxSeconds) {
    throw invalidRequest(`speed: the clip would become longer than ${maxSeconds} seconds`);
  }
  const { recipe } = original;
  const clip = recordClip(services, {
    ...original,
    id: createUuid(services.random),
    ownerKey: token.key,
    taskId: undefined,
    title: `${original.title} (${speed}x)`,
    type: 'edit_speed',
    createdAtMs: services.clock(),
    recipe: {
      ...recipe,
      tempo: recipe.tempo * speed,
      pitch: isPitchKept ? recipe.pitch : recipe.pitch * speed,
    },
  });
  studio.keep(clip);
  charge();
  return replyJson(exchange, { code: 'success', message: '', data: toWireClip(exchange, clip, 'complete') });
};
