import { invalidRequest } from '../http/errors.ts';
import { decodeStrictly } from '../http/validate.ts';
import { planFilm } from '../media/film.ts';
import { openImage } from '../media/image-source.ts';
import { createUuid } from '../tasks/ids.ts';
import { commonWords, outOfMemory } from '../tasks/read-task.ts';
import { createTaskFamily } from '../tasks/task-family.ts';
import { toSeconds } from '../tasks/timeline.ts';
import { referenceVideoRequest } from './requests.ts';

const unitsPerSecond = 10_000;

interface ReferenceVideoWork {
  readonly model: string;
  /** Path of the video. */
  readonly video: string;
}

const videos = createTaskFamily<ReferenceVideoWork, string>({
  noun: 'video',
  words: { ...commonWords, queued: 'queued', running: 'in_progress', succeeded: 'completed' },
  toRecord: ({
    id,
    work,
    createdAtMs,
    status,
    progress,
    updatedAtMs,
    hasResult,
    hasFailed,
    hasEnded,
    mediaOrigin,
  }) => ({
    id,
    object: 'video',
    model: work.model,
    status,
    progress: Math.floor(progress.elapsed * 100),
    created_at: toSeconds(createdAtMs),
    ...(hasResult && hasEnded && { completed_at: toSeconds(updatedAtMs) }),
    ...(hasResult && { video_url: mediaOrigin + work.video }),
    ...(hasFailed && { error: { code: 'generation_failed', message: outOfMemory } }),
  }),
});

/** `POST /v1/videos/generations` */
export const createReferenceVideo = videos.create(async (body, { services }) => {
  const request = decodeStrictly(referenceVideoRequest, body);
  const { model, prompt, duration, image, reference_images: references } = request;
  if (image && references) throw invalidRequest('reference_images: must not be sent together with image');
  if (image) await openImage(services.media, image.url, { member: 'image.url' });
  for (const [index, { url }] of (references ?? []).entries()) {
    await openImage(services.media, url, { member: `reference_images[${index}].url` });
  }
  return {
    models: [model],
    units: unitsPerSecond * duration,
    texts: [prompt],
    plan: () => {
      const id = createUuid(services.random);
      const film = planFilm({
        prompts: [prompt],
        seed: id,
        shape: request.aspect_ratio,
        shortSide: request.resolution === '720p' ? 270 : 180,
        seconds: duration,
      });
      return { id, sizeBytes: prompt.length, work: { model, video: services.media.publish(film) } };
    },
  };
});

/** `GET /v1/videos/{id}`: the gateway documents no read of these videos. */
export const readReferenceVideo = videos.read();
