import { LRUCache } from 'lru-cache';
import type { Token } from '../access/tokens.ts';
import { invalidRequest } from '../http/errors.ts';
import { getOrigin, type Exchange, type Services } from '../http/routes.ts';
import type { SongRecipe } from '../media/recipes.ts';
import { measureSong } from '../media/song-score.ts';
import { perSandbox } from '../per-sandbox.ts';
import { createTaskList, type Task, type TaskList } from '../tasks/task-list.ts';
import type { ModelVersion } from './requests.ts';

/** One recording of a song. */
export interface Clip {
  readonly id: string;
  /** Undefined for a clip that every token may use. */
  readonly ownerKey: string | undefined;
  /** Undefined for a clip that was there at once. */
  readonly taskId: string | undefined;
  readonly title: string;
  readonly tags: string;
  readonly lyrics: string;
  readonly description: string;
  readonly type: 'gen' | 'cover' | 'upload' | 'edit_speed';
  readonly version: ModelVersion;
  readonly createdAtMs: number;
  readonly recipe: SongRecipe;
  readonly durationSeconds: number;
  readonly paths: {
    readonly audio: string;
    readonly video: string;
    readonly image: string;
    readonly largeImage: string;
  };
}

export interface SongWork {
  readonly clips: readonly Clip[];
}

export type SongTask = Task<SongWork>;

/** The songs of a sandbox: tasks that make clips, and the clips. */
export interface Studio {
  readonly tasks: TaskList<SongWork>;
  keep(clip: Clip): void;
  /** The caller's clip if it is complete; else the request is refused (400). */
  requireClip(token: Token, id: string, member: string): Clip;
}

/** A song that counts as uploaded by everybody: something to cover in a fresh sandbox. */
export const uploadedClipId = '5a0d0000-0000-4000-8000-000000000001';

const maxClips = 40_000;

export const getStudio = perSandbox((services): Studio => {
  const tasks = createTaskList<SongWork>(services);
  const clips = new LRUCache<string, Clip>({ max: maxClips });
  const uploaded = recordUpload(services);
  return {
    tasks,
    keep: (clip) => void clips.set(clip.id, clip),
    requireClip(token, id, member) {
      const clip = id === uploaded.id ? uploaded : clips.get(id);
      if (!clip || (clip.ownerKey !== undefined && clip.ownerKey !== token.key)) {
        throw invalidRequest(`${member}: there is no clip ${id}`);
      }
      const task = clip.taskId === undefined ? undefined : tasks.find(token, clip.taskId);
      if (task && tasks.progressOf(task).phase !== 'succeeded') {
        throw invalidRequest(`${member}: clip ${id} is not complete`);
      }
      return clip;
    },
  };
});

/** Publishes a song's files. */
export function recordClip({ media }: Services, clip: Omit<Clip, 'durationSeconds' | 'paths'>): Clip {
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

/** A clip as it stands in replies; what it has no files for yet are empty addresses. */
export function toWireClip(
  exchange: Exchange,
  clip: Clip,
  status: 'queued' | 'streaming' | 'complete',
): Record<string, unknown> {
  const origin = getOrigin(exchange);
  const { paths } = clip;
  const isComplete = status === 'complete';
  return {
    id: clip.id,
    title: clip.title,
    audio_url: isComplete ? origin + paths.audio : '',
    video_url: isComplete ? origin + paths.video : '',
    image_url: status === 'queued' ? '' : origin + paths.image,
    image_large_url: status === 'queued' ? '' : origin + paths.largeImage,
    status,
    model_name: clip.version,
    major_model_version: clip.version.replace('song-', '').replace(/-(\d)/, '.$1'),
    metadata: {
      tags: clip.tags,
      prompt: clip.lyrics,
      gpt_description_prompt: clip.description,
      duration: isComplete ? clip.durationSeconds : null,
      type: clip.type,
      error_message: null,
    },
    created_at: new Date(clip.createdAtMs).toISOString(),
    play_count: 0,
    upvote_count: 0,
    is_liked: false,
    is_public: false,
  };
}

function recordUpload(services: Services): Clip {
  const recipe: SongRecipe = {
    kind: 'song',
    seed: 'uploaded',
    style: 'folk, acoustic guitar',
    notesFrom: 'uploaded',
    isInstrumental: true,
    tempo: 1,
    pitch: 1,
  };
  return recordClip(services, {
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
}
