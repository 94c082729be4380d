import { requireBearerKey } from '../access/credentials.ts';
import { getJsonBody, type Handler, type Services } from '../http/routes.ts';
import { planFilm, toFilmSize } from '../media/film.ts';
import { openImage } from '../media/image-source.ts';
import { beginTask } from '../tasks/begin-task.ts';
import type { Faults } from '../tasks/faults.ts';
import { createPlainId } from '../tasks/ids.ts';
import { decodeVideoRequest, type VideoRequest } from './requests.ts';
import { failures, getVideos, toFirstRecord } from './video.ts';

/** Quota units of one video. */
const unitsPerVideo = 100_000;

/** `POST /v1/video/create`: a video from images, or with a character. */
export const handleVideo: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const request = decodeVideoRequest(getJsonBody(exchange));
  await inspectImages(services, request.images ?? []);
  return beginTask({
    exchange,
    services,
    token,
    models: [request.model],
    units: unitsPerVideo,
    texts: [request.prompt],
    tasks: getVideos(services),
    plan: (faults) => {
      const id = `${request.model}:task_${createPlainId(26, services.random)}`;
      const isRefused = hasRealPerson(request, faults);
      const shape = request.orientation === 'portrait' ? '9:16' : '16:9';
      const film = planFilm({
        prompts: [request.prompt],
        seed: id,
        size: toFilmSize(shape, request.size === 'large' ? 270 : 180),
        seconds: request.duration,
      });
      return {
        id,
        sizeBytes: request.prompt.length,
        isDoomed: isRefused,
        work: {
          video: services.media.publish(film),
          failure: isRefused ? failures.realPerson : failures.generation,
        },
      };
    },
    toReply: toFirstRecord,
  });
};

async function inspectImages({ media }: Services, images: readonly string[]): Promise<void> {
  const types = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'];
  for (const [index, url] of images.entries()) {
    await openImage(media, url, { member: `images[${index}]`, types });
  }
}

/** What a video elsewhere shows cannot be seen from here: its address tells, or the prompt. */
function hasRealPerson(request: VideoRequest, faults: Faults): boolean {
  const url = 'character_url' in request ? request.character_url : undefined;
  return url !== undefined && (faults.has('real-person') || url.includes('real-person'));
}
