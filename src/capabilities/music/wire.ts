import { findErrorCode, hasFailureCode, reportsError, withWords } from '../../gateway/decode-error.ts';
import type { ImmediateResult } from '../../generations/create-now.ts';
import { asWebAddress, isWebAddress } from '../../lib/addresses.ts';
import {
  asRecords,
  asArray,
  asId,
  asRecord,
  asString,
  isList,
  isRecord,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { toMilliseconds } from '../../lib/time.ts';
import { isTerminal, type StoredOutput } from '../../store/records.ts';
import { reconcileStatus, toProgress, toTaskStatus } from '../../tasks/status.ts';
import { type Acknowledgement, asAmount, findFailure, findUpstreamId } from '../../tasks/task-record.ts';
import { confirmsNothing } from '../../tasks/confirms-nothing.ts';
import { isUpstreamId, taskFailure, type TaskReading } from '../../tasks/task-kinds.ts';

/** One clip of a song task. */
export interface Song {
  readonly clipId?: string | undefined;
  readonly title?: string | undefined;
  readonly audioUrl?: string | undefined;
  readonly videoUrl?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly lyrics?: string | undefined;
  readonly style?: string | undefined;
  readonly durationSeconds?: number | undefined;
  readonly model?: string | undefined;
}

export interface SongList extends StoredOutput {
  readonly type: 'song-list';
  readonly songs: readonly Song[];
}

/** Finds the task id in `data`, as text or in an object. The gateway's document does not show the shape of the reply. */
export function decodeSubmission(reply: Json): Acknowledgement | undefined {
  const { data } = asRecord(reply) ?? {};
  const holder = asRecord(data) ?? asRecord(asArray(data)[0]);
  const upstreamId =
    asPlainId(data) ?? asPlainId(asArray(data)[0]) ?? asId(holder?.['task_id']) ?? findUpstreamId(reply);
  return upstreamId === undefined ? undefined : { upstreamId, reading: { status: 'QUEUED', raw: reply } };
}

/** The id of a task or a clip. A text can also be a sentence, such as the reason of a failure. */
function asPlainId(value: unknown): string | undefined {
  const id = asId(value);
  return id !== undefined && isUpstreamId(id) ? id : undefined;
}

/** The tasks of a batch reply by id. The order does not matter, and the first of duplicates wins. */
export function findTasks(reply: Json): ReadonlyMap<string, JsonObject> {
  const data = dataOf(reply);
  const records = isList(data) ? data : isRecord(data) ? [data] : [];
  const tasks = new Map<string, JsonObject>();
  for (const value of records) {
    const task = asRecord(value);
    const id = asId(task?.['task_id']) ?? asId(task?.['id']);
    if (task && id !== undefined && !tasks.has(id)) tasks.set(id, task);
  }
  return tasks;
}

/** A failure code beside no task is about the read. Without the code, the gateway does not know the tasks. */
export function isFetchRefusal(reply: Json): boolean {
  return hasFailureCode(reply) && findTasks(reply).size === 0;
}

export function decodeTask(task: JsonObject): TaskReading {
  const clips = asRecords(isList(task['data']) ? task['data'] : asRecord(task['data'])?.['clips']);
  const songs = clips.map(decodeSong);
  const songList: SongList = { type: 'song-list', songs };
  const message = failMessage([task, ...clips]);
  // A failed clip does not delay the success of the others.
  const alive = clips.filter((clip) => toTaskStatus(clipWord(clip)) !== 'FAILED');
  const hasResult = alive.length > 0 && alive.every((clip) => isWebAddress(clip['audio_url']));
  const { status, rawStatus, isUnprovenSuccess } = reconcileStatus({
    outer: asString(task['status']),
    inner: innerStatus(clips),
    hasResult,
    hasError: message !== undefined,
  });
  return {
    status,
    rawStatus,
    ...(isUnprovenSuccess && { isUnprovenSuccess }),
    progress: toProgress(task['progress'], status),
    createdAt: toMilliseconds(task['submit_time']),
    output: songs.length > 0 ? songList : undefined,
    error: taskFailure(status, message, findErrorCode([task, ...clips])),
    raw: task,
  };
}

/**
 * The task in the reply to a change of speed: `data` is an id, as for new songs, or a record with an id whose work has not
 * ended. Undefined when the reply is the result.
 */
export function decodeSpeedTask(reply: Json): Acknowledgement | undefined {
  const data = dataOf(reply);
  const id = asId(data);
  if (id !== undefined) {
    const isTask = !isWebAddress(id) && isUpstreamId(id);
    return isTask ? { upstreamId: id, reading: { status: 'QUEUED', raw: reply } } : undefined;
  }
  const clips = findClips(data);
  const record = asRecord(data);
  const [first, ...others] = record && findTaskId(record) !== undefined ? [record] : clips;
  if (!first || [first, ...others, ...clips].some(isResult)) return undefined;
  const word = clipWord(first) ?? clipWord(asRecord(reply) ?? {});
  const upstreamId = findTaskId(first) ?? (word === undefined ? undefined : asId(first['id']));
  const status = toTaskStatus(word);
  if (upstreamId === undefined || isTerminal(status)) return undefined;
  return { upstreamId, reading: { status, rawStatus: word, raw: reply } };
}

function findTaskId(record: JsonObject): string | undefined {
  return asId(record['task_id']) ?? asId(record['taskId']);
}

function isResult(clip: JsonObject): boolean {
  return isWebAddress(withAudioUrl(clip)['audio_url']) || isTerminal(toTaskStatus(clipWord(clip)));
}

/**
 * The songs of a reply that is itself the result. The gateway's document does not show its shape: it can be a clip, a
 * list of clips, or only the id or URL of one, in `data` or without an envelope. Other replies give an empty list, or a failure
 * if they confirm nothing.
 */
export function decodeSpeedReply(reply: Json): ImmediateResult {
  const found = findClips(dataOf(reply));
  const songs = found.map((clip) => decodeSong(clip)).filter(isSong);
  const output: SongList = { type: 'song-list', songs };
  if (songs.length === 0 && confirmsNothing(reply)) {
    const message = withWords('The gateway replied without a song.', reply);
    return { error: taskFailure('FAILED', message, findErrorCode([asRecord(reply)])) };
  }
  const failed = found.filter(
    (clip) =>
      (toTaskStatus(clipWord(clip)) === 'FAILED' || reportsError(clip)) && !isWebAddress(clip['audio_url']),
  );
  if (failed.length === 0 || failed.length < found.length) return { output };
  return {
    output: songs.length > 0 ? output : undefined,
    error: taskFailure('FAILED', failMessage(failed), findErrorCode(failed)),
  };
}

function dataOf(reply: Json): Json {
  return asRecord(reply)?.['data'] ?? reply;
}

/** Members known to hold lists of clips. */
const clipLists = ['clips', 'songs', 'data', 'list'];

function findClips(data: Json | undefined): readonly JsonObject[] {
  if (isList(data)) return data.flatMap((item) => (isList(item) ? [] : findClips(item)));
  if (isRecord(data)) {
    const list = clipLists.map((name) => data[name]).find(Array.isArray);
    return list ? asRecords(list) : [withAudioUrl(data)];
  }
  if (isWebAddress(data)) return [{ audio_url: data }];
  const id = asPlainId(data);
  return id === undefined ? [] : [{ id }];
}

function withAudioUrl(clip: JsonObject): JsonObject {
  const address = asWebAddress(clip['audio_url']) ?? asWebAddress(clip['url']);
  return address === undefined ? clip : { ...clip, audio_url: address };
}

function isSong({ clipId, audioUrl }: Song): boolean {
  return clipId !== undefined || audioUrl !== undefined;
}

function failMessage(records: readonly JsonObject[]): string | undefined {
  return records
    .map((record) => findFailure(record) ?? findFailure(asRecord(record['metadata']) ?? {}))
    .find((message) => message !== undefined);
}

/** The status word of the clips: running while one runs, otherwise the best of the finished ones. */
function innerStatus(clips: readonly JsonObject[]): string | undefined {
  const said = clips.map(clipWord);
  if (said.length === 0 || said.includes(undefined)) return undefined;
  const meanings = said.map(toTaskStatus);
  if (new Set(meanings).size > 1 && !meanings.every(isTerminal)) return 'running';
  return said[Math.max(0, meanings.indexOf('SUCCEEDED'))];
}

function clipWord(clip: JsonObject): string | undefined {
  return asString(clip['status']) ?? asString(clip['state']);
}

function decodeSong(clip: JsonObject): Song {
  const metadata = asRecord(clip['metadata']) ?? {};
  return {
    clipId: asId(clip['id']) ?? asId(clip['clip_id']),
    title: asString(clip['title']),
    audioUrl: asWebAddress(clip['audio_url']),
    videoUrl: asWebAddress(clip['video_url']),
    imageUrl: asWebAddress(clip['image_large_url']) ?? asWebAddress(clip['image_url']),
    lyrics: asString(metadata['prompt']) ?? asString(clip['prompt']),
    style: asString(metadata['tags']) ?? asString(clip['tags']),
    durationSeconds: asAmount(metadata['duration']) ?? asAmount(clip['duration']),
    model: asString(clip['model_name']),
  };
}
