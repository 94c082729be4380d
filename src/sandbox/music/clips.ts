import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../lib/cache-limits.ts';
import { invalidRequest } from '../http/errors.ts';
import type { Services } from '../http/routes.ts';
import type { SongRecipe } from '../media/recipes.ts';
import { measureSong } from '../media/song-score.ts';
import { perSandbox } from '../per-sandbox.ts';
import { createUuid } from '../tasks/ids.ts';
import type { Call } from '../tasks/paid-work.ts';
import type { TaskList } from '../tasks/task-list.ts';
import { toTimestamp } from '../tasks/timeline.ts';
import type { ModelVersion } from './requests.ts';

/** A song, as it is requested. */
export interface Song {
  readonly title: string;
  readonly tags: string;
  readonly lyrics: string;
  readonly description: string;
  readonly type: 'gen' | 'cover' | 'upload' | 'edit_speed';
  readonly version: ModelVersion;
  readonly recipe: SongRecipe;
}

/** One recording of a song. */
export interface Clip extends Song {
  readonly id: string;
  /** Undefined for a clip that every token can use. */
  readonly ownerKey: string | undefined;
  /** Undefined for a clip that is complete from the start. */
  readonly taskId: string | undefined;
  readonly createdAtMs: number;
  readonly durationSeconds: number;
  /** Paths of media. */
  readonly paths: Readonly<Record<'audio' | 'video' | 'image' | 'largeImage', string>>;
}

/** A clip that every token can use, so that a new sandbox has a song to cover. */
const uploadedClipId = '5a0d0000-0000-4000-8000-000000000001';
const maxClips = 40_000;

const getClips = perSandbox((services) => {
  const recipe = {
    kind: 'song',
    seed: 'uploaded',
    style: 'folk, acoustic guitar',
    notesFrom: 'uploaded',
    isInstrumental: true,
    tempo: 1,
    pitch: 1,
  } as const;
  const uploaded = publishClip(services, {
    id: uploadedClipId,
    ownerKey: undefined,
    taskId: undefined,
    title: 'Kitchen Table',
    tags: recipe.style,
    lyrics: '',
    description: '',
    type: 'upload',
    version: 'song-v5',
    createdAtMs: services.clock(),
    recipe,
  });
  return { uploaded, clips: new LRUCache<string, Clip>(limitEntries(maxClips)) };
});

/** Publishes the files of the caller's clip and keeps it. */
export function recordClip(
  { services, token }: Call,
  { taskId, toSong }: { readonly taskId?: string; readonly toSong: (id: string) => Song },
): Clip {
  const id = createUuid(services.random);
  const origin = { id, ownerKey: token.key, taskId, createdAtMs: services.clock() };
  const clip = publishClip(services, { ...toSong(id), ...origin });
  getClips(services).clips.set(id, clip);
  return clip;
}

function publishClip({ media }: Services, clip: Omit<Clip, 'durationSeconds' | 'paths'>): Clip {
  const { recipe, title, tags } = clip;
  const cover = { kind: 'picture', prompt: title, seed: `${recipe.seed} ${tags}`, format: 'jpeg' } as const;
  return {
    ...clip,
    durationSeconds: measureSong(recipe),
    paths: {
      audio: media.publish(recipe),
      video: media.publish({ kind: 'song-video', song: recipe, title }),
      image: media.publish({ ...cover, width: 360, height: 360 }),
      largeImage: media.publish({ ...cover, width: 1024, height: 1024 }),
    },
  };
}

/** The caller's clip. Refuses the request (400) if there is none or its task has not succeeded. */
export function requireClip(
  { services, token }: Call,
  { tasks, id, member }: { readonly tasks: TaskList<unknown>; readonly id: string; readonly member: string },
): Clip {
  const { clips, uploaded } = getClips(services);
  const clip = id === uploaded.id ? uploaded : clips.get(id);
  if (!clip || (clip.ownerKey !== undefined && clip.ownerKey !== token.key)) {
    throw invalidRequest(`${member}: there is no clip ${id}`);
  }
  const task = clip.taskId === undefined ? undefined : tasks.find(token, clip.taskId);
  if (task && tasks.progressOf(task).phase !== 'succeeded') {
    throw invalidRequest(`${member}: clip ${id} is not complete`);
  }
  return clip;
}

/** A clip on the wire. The addresses of files that are not ready are empty. */
export function toWireClip(
  origin: string,
  clip: Clip,
  { status, isReady }: { readonly status: 'queued' | 'streaming' | 'complete'; readonly isReady: boolean },
): Record<string, unknown> {
  const { paths } = clip;
  const toAddress = (path: string, isShown: boolean): string => (isShown ? origin + path : '');
  return {
    id: clip.id,
    title: clip.title,
    audio_url: toAddress(paths.audio, isReady),
    video_url: toAddress(paths.video, isReady),
    image_url: toAddress(paths.image, status !== 'queued'),
    image_large_url: toAddress(paths.largeImage, status !== 'queued'),
    status,
    model_name: clip.version,
    major_model_version: clip.version.replace('song-', '').replace(/-(\d)/, '.$1'),
    metadata: {
      tags: clip.tags,
      prompt: clip.lyrics,
      gpt_description_prompt: clip.description,
      duration: isReady ? clip.durationSeconds : null,
      type: clip.type,
      error_message: null,
    },
    created_at: toTimestamp(clip.createdAtMs),
    play_count: 0,
    upvote_count: 0,
    is_liked: false,
    is_public: false,
  };
}
