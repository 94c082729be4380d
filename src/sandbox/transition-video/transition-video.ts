import { requireApiKeyHeader } from '../access/credentials.ts';
import { getQuery, replyJson, type Exchange } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { planFilm } from '../media/film.ts';
import { createWideInteger } from '../tasks/ids.ts';
import { outOfMemory } from '../tasks/read-task.ts';
import { createTaskFamily } from '../tasks/task-family.ts';
import { toTimestamp } from '../tasks/timeline.ts';
import { transitionRequest } from './requests.ts';

const unitsPerVideo = 100_000;
const shortSides = { '360p': 144, '540p': 180, '720p': 216, '1080p': 270 } as const;
/** The id of a missing image. The sandbox accepts all other ids, because it has no uploads. */
const unknownImageId = 404;
const notFoundCode = 500_008;
const moderatedStatus = 7;

interface TransitionWork {
  /** Has more than 53 bits. */
  readonly videoId: bigint;
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** Path of the video. */
  readonly video: string;
  readonly isModerated: boolean;
}

const transitions = createTaskFamily<TransitionWork, number>({
  noun: 'video',
  words: { queued: 5, running: 5, succeeded: 1, failed: 8, canceled: 8, unknown: 42 },
  authenticate: requireApiKeyHeader,
  toAcknowledgement: ({ work }) => toSuccess({ video_id: work.videoId }),
  toRecord: ({ work, createdAtMs, updatedAtMs, status, hasResult, hasFailed, mediaOrigin }) => {
    const { videoId, prompt, width, height, video, isModerated } = work;
    const reason = isModerated ? 'The content was refused by moderation' : outOfMemory;
    return toSuccess({
      id: videoId,
      status: hasFailed && isModerated ? moderatedStatus : status,
      prompt,
      url: hasResult ? mediaOrigin + video : '',
      outputWidth: width,
      outputHeight: height,
      fail_reason: hasFailed ? reason : '',
      create_time: toTimestamp(createdAtMs),
      modify_time: toTimestamp(updatedAtMs),
    });
  },
});

/** `POST /openapi/v2/video/multi_transition/generate` */
export const createTransitionVideo = transitions.create((body, { exchange, services }) => {
  const { multi_transition: frames, model, quality } = decodeStrictly(transitionRequest, body);
  if (frames.some(({ img_id: id }) => id === unknownImageId)) {
    return replyUnknown(exchange, `The image ${unknownImageId} does not exist`, 200);
  }
  const prompts = frames.map(({ prompt = '' }) => prompt);
  return {
    models: [model],
    units: unitsPerVideo,
    texts: prompts,
    plan: (faults) => {
      // The highest bit is always set, so that clients that lose digits show it.
      const videoId = (1n << 62n) | createWideInteger(services.random);
      const id = String(videoId);
      const seconds = frames.reduce((sum, { duration = 0 }) => sum + duration, 0);
      const film = planFilm({ prompts, seed: id, shape: '16:9', shortSide: shortSides[quality], seconds });
      const isModerated = faults.has('moderated');
      const prompt = prompts.filter((text) => text !== '').join(' | ');
      const video = services.media.publish(film);
      const work = { videoId, prompt, width: film.width, height: film.height, video, isModerated };
      return { id, sizeBytes: prompt.length, willFail: isModerated, work };
    },
  };
});

/** `GET /openapi/v2/video/result/{video_id}`: the gateway documents no read of these videos. */
export const readTransitionVideo = transitions.read({
  find: ({ exchange, services, token }) => {
    getQuery(exchange, []);
    const id = exchange.req.param('id') ?? '';
    const task = transitions.list(services).find(token, id);
    return task ?? replyUnknown(exchange, `The video ${id} does not exist`, 404);
  },
});

function toSuccess(body: unknown): unknown {
  return { ErrCode: 0, ErrMsg: 'success', Resp: body };
}

function replyUnknown(exchange: Exchange, message: string, status: 200 | 404): Response {
  return replyJson(exchange, { ErrCode: notFoundCode, ErrMsg: message, Resp: null }, status);
}
