import { isRecord } from '../../lib/json.ts';
import { invalidRequest } from '../http/errors.ts';
import { getJsonBody, getMediaOrigin, replyJson, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { disturbRead } from '../tasks/faults.ts';
import { createUuid } from '../tasks/ids.ts';
import { replyPaidWork, type Call } from '../tasks/paid-work.ts';
import { commonWords } from '../tasks/read-task.ts';
import { createTaskFamily, type TaskOrder, type TaskView } from '../tasks/task-family.ts';
import { toSeconds } from '../tasks/timeline.ts';
import { recordClip, requireClip, toWireClip, type Clip, type Song } from './clips.ts';
import { coverRequest, fetchRequest, songRequest, speedRequest, type ModelVersion } from './requests.ts';
import { writeSong } from './write-song.ts';

/** Quota units of a task, which makes two clips. */
const unitsPerTask = 50_000;
/** Limits how long a clip becomes when it is slowed down, and how short when it is sped up several times. */
const [minSeconds, maxSeconds] = [1, 600];
/** The only kind of task. */
const taskAction = 'MUSIC';

interface SongWork {
  readonly clips: readonly Clip[];
}

const songs = createTaskFamily<SongWork, string>({
  noun: 'task',
  words: {
    queued: 'QUEUED',
    running: 'IN_PROGRESS',
    succeeded: 'SUCCESS',
    failed: 'FAILURE',
    canceled: 'FAILURE',
    unknown: commonWords.unknown,
  },
  toAcknowledgement: ({ id }) => toSuccess(id),
  toRecord,
});

/** `POST /music/submit/music`: a song from a description, or the cover of a clip. */
export const createSongs = songs.create((body, call) =>
  isRecord(body) && 'cover_clip_id' in body ? orderCover(call, body) : orderSong(call, body),
);

/** `POST /music/submit/adjust-speed`: replies with the new clip at once and costs nothing. */
export const adjustSpeed: Handler = (exchange, services) => {
  const call = songs.authenticate(exchange, services);
  const request = decodeStrictly(speedRequest, getJsonBody(exchange));
  const { clip_id: id, speed, keep_pitch: isPitchKept = false } = request;
  const original = requireClip(call, { tasks: songs.list(services), id, member: 'clip_id' });
  const perform = (): unknown => {
    const seconds = original.durationSeconds / speed;
    if (seconds > maxSeconds) {
      throw invalidRequest(`speed: the clip would become longer than ${maxSeconds} seconds`);
    }
    if (seconds < minSeconds) throw invalidRequest('speed: the clip would become shorter than a second');
    const { recipe, title } = original;
    const [tempo, pitch] = [recipe.tempo * speed, recipe.pitch * (isPitchKept ? 1 : speed)];
    const changes = {
      title: `${title} (${speed}x)`,
      type: 'edit_speed',
      recipe: { ...recipe, tempo, pitch },
    } as const;
    const clip = recordClip(call, { toSong: () => ({ ...original, ...changes }) });
    return toSuccess(toWireClip(getMediaOrigin(exchange), clip, { status: 'complete', isReady: true }));
  };
  return replyPaidWork(call, { models: [original.version], units: 0, texts: [], perform });
};

/** `POST /music/fetch`: the caller's tasks among these ids, once each. The order is not reliable. */
export const fetchTasks: Handler = async (exchange, services) => {
  const { token } = songs.authenticate(exchange, services);
  const { ids, action } = decodeStrictly(fetchRequest, getJsonBody(exchange));
  const isMusic = ['', taskAction].includes(action.trim().toUpperCase());
  const list = songs.list(services);
  const tasks = isMusic ? [...new Set(ids)].flatMap((id) => list.find(token, id) ?? []) : [];
  const disturbed = await disturbRead(exchange, tasks, (task) => list.progressOf(task).phase);
  if (disturbed) return disturbed;
  const records = tasks.map((task) => toRecord(songs.view({ exchange, services }, task)));
  return replyJson(exchange, toSuccess(records.toReversed()));
};

function orderSong(call: Call, body: unknown): TaskOrder<SongWork> {
  const request = decodeStrictly(songRequest, body);
  const { gpt_description_prompt: description, make_instrumental: isInstrumental, mv: version } = request;
  return toOrder(call, {
    texts: [description],
    version,
    toSong: (seed) => {
      const text = writeSong(description, { seed, isInstrumental });
      const style = `${text.tags} ${description}`;
      const recipe = {
        kind: 'song',
        seed,
        style,
        notesFrom: seed,
        isInstrumental,
        tempo: 1,
        pitch: 1,
      } as const;
      return { ...text, description, type: 'gen', version, recipe };
    },
  });
}

function orderCover(call: Call, body: unknown): TaskOrder<SongWork> {
  const request = decodeStrictly(coverRequest, body);
  const { prompt, tags, title, make_instrumental: isInstrumental, mv: version } = request;
  if (!isInstrumental && prompt.trim() === '') {
    throw invalidRequest('prompt: lyrics are required unless make_instrumental is true');
  }
  const tasks = songs.list(call.services);
  const original = requireClip(call, { tasks, id: request.cover_clip_id, member: 'cover_clip_id' });
  const { notesFrom } = original.recipe;
  return toOrder(call, {
    texts: [prompt, tags, title],
    version,
    toSong: (seed) => ({
      title: title.trim() === '' ? `${original.title} (Cover)` : title,
      tags,
      lyrics: isInstrumental ? '' : prompt,
      description: '',
      type: 'cover',
      version,
      recipe: { kind: 'song', seed, style: tags, notesFrom, isInstrumental, tempo: 1, pitch: 1 },
    }),
  });
}

interface SongOrder {
  /** The texts that can ask for faults. */
  readonly texts: readonly string[];
  readonly version: ModelVersion;
  readonly toSong: (id: string) => Song;
}

function toOrder(call: Call, { texts, version, toSong }: SongOrder): TaskOrder<SongWork> {
  return {
    models: [version],
    units: unitsPerTask,
    texts,
    plan: () => {
      const taskId = createUuid(call.services.random);
      const clips = [1, 2].map(() => recordClip(call, { taskId, toSong }));
      return { id: taskId, work: { clips }, sizeBytes: texts.join('').length };
    },
  };
}

function toRecord(view: TaskView<SongWork, string>): unknown {
  const { id, work, createdAtMs, progress, hasResult, hasFailed, mediaOrigin } = view;
  const { startedAtMs = 0, finishedAtMs = startedAtMs, elapsed } = progress;
  const status = view.status === 'QUEUED' ? toQueuedWord(elapsed) : view.status;
  const hasEnded = status === 'SUCCESS' || status === 'FAILURE';
  const runningStatus = progress.done >= 0.5 ? 'streaming' : 'queued';
  const clipStatus = hasResult && view.hasEnded ? 'complete' : runningStatus;
  const clips = hasFailed || status === 'NOT_START' ? [] : work.clips;
  return {
    task_id: id,
    notify_hook: '',
    action: taskAction,
    status,
    fail_reason: hasFailed ? 'The song could not be generated: the singer lost the tune' : '',
    submit_time: toSeconds(createdAtMs),
    start_time: toSeconds(startedAtMs),
    finish_time: hasEnded ? toSeconds(finishedAtMs) : 0,
    progress: status === 'SUCCESS' ? '100%' : `${Math.min(99, Math.floor(elapsed * 100))}%`,
    search_item: '',
    data: clips.map((clip) => toWireClip(mediaOrigin, clip, { status: clipStatus, isReady: hasResult })),
  };
}

function toQueuedWord(elapsed: number): string {
  if (elapsed < 0.05) return 'NOT_START';
  return elapsed < 0.1 ? 'SUBMITTED' : 'QUEUED';
}

function toSuccess(data: unknown): unknown {
  return { code: 'success', message: '', data };
}
