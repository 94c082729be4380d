import { requireBearerKey } from '../access/credentials.ts';
import { invalidRequest } from '../http/errors.ts';
import { getJsonBody, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { planFilm, toFilmSize } from '../media/film.ts';
import { openImage } from '../media/image-source.ts';
import { beginTask } from '../tasks/begin-task.ts';
import { createUuid } from '../tasks/ids.ts';
import { referenceVideoRequest } from './requests.ts';
import { getReferenceVideos, toFirstRecord } from './video.ts';

/** Quota units of one second. */
const unitsPerSecond = 10_000;

/** `POST /v1/videos/generations` */
export const handleReferenceVideo: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const request = decodeStrictly(referenceVideoRequest, getJsonBody(exchange));
  const { model, prompt, duration, image, reference_images: references } = request;
  if (image && references) throw invalidRequest('reference_images: must not be sent together with image');
  const types = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'];
  if (image) await openImage(services.media, image.url, { member: 'image.url', types });
  for (const [index, { url }] of (references ?? []).entries()) {
    await openImage(services.media, url, { member: `reference_images[${index}].url`, types });
  }
  return beginTask({
    exchange,
    services,
    token,
    models: [model],
    units: unitsPerSecond * duration,
    texts: [prompt],
    tasks: getReferenceVideos(services),
    plan: () => {
      const id = createUuid(services.random);
      const size = toFilmSize(request.aspect_ratio, request.resolution === '720p' ? 270 : 180);
      const film = planFilm({ prompts: [prompt], seed: id, size, seconds: duration });
      return { id, sizeBytes: prompt.length, work: { model, video: services.media.publish(film) } };
    },
    toReply: toFirstRecord,
  });
};
