import { toBody, type WireNames } from '../../generations/wire-names.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { BatchRead } from '../../tasks/task-kinds.ts';
import type { AdjustSongSpeedInput, CreateSongCoverInput, CreateSongInput } from './inputs.ts';
import { decodeTask, findTasks, isFetchRefusal } from './wire.ts';

export const submitMusicPath = '/music/submit/music';
export const adjustSpeedPath = '/music/submit/adjust-speed';

export const songNames: WireNames<CreateSongInput> = {
  description: 'gpt_description_prompt',
  isInstrumental: 'make_instrumental',
  model: 'mv',
};

/** The model that is sent, also for an explicit null. */
export function songCoverModel({ model }: CreateSongCoverInput): string {
  return model ?? 'song-v5';
}

export const songCoverNames: WireNames<CreateSongCoverInput> = {
  model: 'mv',
  isInstrumental: 'make_instrumental',
  lyrics: 'prompt',
  style: 'tags',
  title: 'title',
  clipId: 'cover_clip_id',
};

/** The gateway requires all six members. Absent ones are sent empty. */
export function toSongCoverBody(input: CreateSongCoverInput): JsonObject {
  return toBody(songCoverNames, input, {
    mv: songCoverModel(input),
    make_instrumental: input.isInstrumental ?? false,
    prompt: input.lyrics ?? '',
    tags: input.style ?? '',
    title: input.title ?? '',
  });
}

export const songSpeedNames: WireNames<AdjustSongSpeedInput> = {
  clipId: 'clip_id',
  speed: 'speed',
  keepPitch: 'keep_pitch',
};

/** POST /music/fetch reads any number of tasks of one caller. It is a read despite its method. */
export const fetchSongs: BatchRead = {
  toRequest(handles) {
    const ids = [...new Set(handles.map(({ upstreamId }) => upstreamId))];
    return { method: 'POST', path: '/music/fetch', body: { ids, action: '' }, isRefusal: isFetchRefusal };
  },
  find: findTasks,
  decode: decodeTask,
};
