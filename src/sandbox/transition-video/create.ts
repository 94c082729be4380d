import { requireApiKeyHeader } from '../access/credentials.ts';
import { getJsonBody, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { planFilm, toFilmSize } from '../media/film.ts';
import { beginTask } from '../tasks/begin-task.ts';
import { transitionRequest, type TransitionRequest } from './requests.ts';
import { getTransitions, replyUnknown, toSuccess } from './transition.ts';

/** Quota units of one video. */
const unitsPerVideo = 100_000;

/** Images elsewhere cannot be looked up from here: this id stands for one that does not exist. */
const unknownImageId = 404;

/** `POST /openapi/v2/video/multi_transition/generate` */
export const handleTransition: Handler = (exchange, services) => {
  const token = requireApiKeyHeader(exchange, services);
  const request = decodeStrictly(transitionRequest, getJsonBody(exchange));
  const { multi_transition: frames, model, quality } = request;
  if (frames.some(({ img_id: id }) => id === unknownImageId)) {
    return replyUnknown(exchange, `The image ${unknownImageId} does not exist`);
  }
  const prompts = frames.map(({ prompt }) => prompt ?? '');
  return beginTask({
    exchange,
    services,
    token,
    models: [model],
    units: unitsPerVideo,
    texts: prompts,
    tasks: getTransitions(services),
    plan: (faults) => {
      const videoId = createVideoId(services.random);
      const id = String(videoId);
      const size = toFilmSize('16:9', shortSides[quality]);
      const [first = '', ...others] = prompts;
      const film = planFilm({ prompts: [first, ...others], seed: id, size, seconds: measure(request) });
      const isModerated = faults.has('moderated');
      const prompt = prompts.filter((text) => text !== '').join(' | ');
      const work = { videoId, prompt, size, video: services.media.publish(film), isModerated };
      return { id, sizeBytes: prompt.length, isDoomed: isModerated, work };
    },
    toReply: ({ work }) => toSuccess({ video_id: work.videoId }),
  });
};

const shortSides: Readonly<Record<TransitionRequest['quality'], number>> = {
  '360p': 144,
  '540p': 180,
  '720p': 216,
  '1080p': 270,
};

/** The whole time of all transitions, in seconds. */
function measure({ multi_transition: frames }: TransitionRequest): number {
  return frames.reduce((sum, { duration = 0 }) => sum + duration, 0);
}

/** 63 bits, the highest always set, so that clients which lose digits show it. */
function createVideoId(random: () => number): bigint {
  const part = (bits: number): bigint => BigInt(Math.floor(random() * 2 ** bits));
  return (1n << 62n) | (part(30) << 32n) | part(32);
}
