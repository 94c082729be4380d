import { withoutAbsent } from '../../generations/request-body.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { BatchRead } from '../../tasks/task-kinds.ts';
import type { AdjustSongSpeedInput, CreateSongCoverInput, CreateSongInput } from './inputs.ts';
import { decodeTask, findTasks, isFetchRefusal } from './wire.ts';

export const submitMusicPath = '/music/submit/music';
export const adjustSpeedPath = '/music/submit/adjust-speed';

export function toSongBody(input: CreateSongInput): JsonObject {
  return withoutAbsent(
    {
      gpt_description_prompt: input.description,
      make_instrumental: input.isInstrumental ?? false,
      mv: input.model,
    },
    input.extra,
  );
}

/** The model that is sent, also for an explicit null. */
export function songCoverModel({ model }: CreateSongCoverInput): string {
  return model ?? 'song-v5';
}

/** The gateway requires all six members. Absent ones are sent empty. */
export function toSongCoverBody(input: CreateSongCoverInput): JsonObject {
  return withoutAbsent(
    {
      mv: songCoverModel(input),
      make_instrumental: input.isInstrumental ?? false,
      prompt: input.lyrics ?? '',
      tags: input.style ?? '',
      title: input.title ?? '',
      cover_clip_id: input.clipId,
    },
    input.extra,
  );
}

export function toSpeedBody({ clipId, speed, keepPitch, extra }: AdjustSongSpeedInput): JsonObject {
  return withoutAbsent({ clip_id: clipId, speed, keep_pitch: keepPitch }, extra);
}

/** POST /music/fetch reads any number of tasks of one caller. It is a read despite its method. */
export const fetchSongs: BatchRead = {
  toRequest(handles) {
    const ids = [...new Set(handles.map(({ upstreamId }) => upstreamId))];
    return { method: 'POST', path: '/music/fetch', body: { ids, action: '' }, isRefusal: isFetchRefusal };
  },
  find: findTasks,
  decode: decodeTask,
};
