import { invalidRequest } from '../http/errors.ts';
import { getQuery } from '../http/routes.ts';
import { planFilm } from '../media/film.ts';
import { openImage } from '../media/image-source.ts';
import { createPlainId } from '../tasks/ids.ts';
import { commonWords, outOfMemory } from '../tasks/read-task.ts';
import { createTaskFamily } from '../tasks/task-family.ts';
import { toSeconds } from '../tasks/timeline.ts';
import { decodeVideoRequest } from './requests.ts';

const unitsPerVideo = 100_000;

interface VideoWork {
  /** Path of the video. */
  readonly video: string;
  readonly failure: { readonly code: string; readonly message: string };
}

const failures = {
  generation: { code: 'generation_failed', message: outOfMemory },
  realPerson: {
    code: 'character_creation_failed',
    message: 'The character was not created: its video contains a real person',
  },
} as const;

const videos = createTaskFamily<VideoWork, string>({
  noun: 'video',
  words: { ...commonWords, queued: 'pending', running: 'processing', succeeded: 'completed' },
  toAcknowledgement: ({ id, status, updatedAtMs }) => ({
    id,
    status,
    status_update_time: toSeconds(updatedAtMs),
  }),
  toRecord: ({ id, work, status, progress, updatedAtMs, hasResult, hasFailed, mediaOrigin }) => ({
    id,
    status,
    status_update_time: toSeconds(updatedAtMs),
    progress: Math.floor(progress.elapsed * 100),
    video_url: hasResult ? mediaOrigin + work.video : null,
    error: hasFailed ? work.failure : null,
  }),
});

/** `POST /v1/video/create`: a video from images, or with a character. */
export const createVideo = videos.create(async (body, { services }) => {
  const request = decodeVideoRequest(body);
  const { model, prompt, orientation, size, duration } = request;
  for (const [index, url] of (request.images ?? []).entries()) {
    await openImage(services.media, url, { member: `images[${index}]` });
  }
  const character = 'character_url' in request ? request.character_url : undefined;
  return {
    models: [model],
    units: unitsPerVideo,
    texts: [prompt],
    plan: (faults) => {
      const id = `${model}:task_${createPlainId(26, services.random)}`;
      // The sandbox cannot fetch the character's video. Its address or a fault says whether it shows a real person.
      const willFail =
        character !== undefined && (faults.has('real-person') || character.includes('real-person'));
      const film = planFilm({
        prompts: [prompt],
        seed: id,
        shape: orientation === 'portrait' ? '9:16' : '16:9',
        shortSide: size === 'large' ? 270 : 180,
        seconds: duration,
      });
      const failure = willFail ? failures.realPerson : failures.generation;
      return {
        id,
        sizeBytes: prompt.length,
        willFail,
        work: { video: services.media.publish(film), failure },
      };
    },
  };
});

/** `GET /v1/video/query?id=…`: the gateway documents no read of these videos. */
export const readVideo = videos.read({
  find: (call) => {
    const { id } = getQuery(call.exchange, ['id']);
    if (id === undefined) throw invalidRequest('id: is required');
    return videos.get(call, id);
  },
});
