import type { Asset } from '../../generations/asset.ts';
import { asCount, asWideInteger, type Json } from '../../lib/json.ts';
import type { StoredOutput } from '../../store/records.ts';
import { type AddressPlaces, findAddresses, type FoundAddress } from '../../tasks/find-addresses.ts';
import { taskFailure, type TaskReading } from '../../tasks/task-kinds.ts';
import {
  acknowledgement,
  asAmount,
  asText,
  findMember,
  findUpstreamId,
  firstOf,
  openEnvelope,
  readTaskRecord,
  type TaskRecord,
} from '../../tasks/task-record.ts';

/** The output of a video task, usually one video. */
export interface Video extends StoredOutput {
  readonly type: 'video';
  readonly files: readonly Asset[];
  readonly thumbnailUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  readonly seed?: number | bigint | undefined;
}

const videoPlaces: AddressPlaces = {
  names: ['video_url', 'url', 'video', 'videos', 'output', 'result', 'result_url', 'download_url', 'urls'],
  nestedIn: ['video', 'videos'],
};
const thumbnailPlaces: AddressPlaces = {
  ...videoPlaces,
  names: ['thumbnail_url', 'thumbnail', 'cover_url', 'cover_image_url', 'cover', 'poster'],
};
const durationNames = ['duration', 'duration_seconds', 'seconds'];

type NumberedStates = Readonly<Record<number, string>>;

/** The transition family numbers its states. */
const transitionStates: NumberedStates = {
  1: 'success',
  5: 'processing',
  6: 'deleted',
  7: 'rejected',
  8: 'failed',
};

/**
 * Reads a record of a video, from the create or from a later read. The gateway's document shows only the reply of
 * /v1/video/create. In other replies, this searches for URLs in the conventional members.
 */
export function decodeVideo(reply: Json, numberedStates?: NumberedStates): TaskReading {
  const record = openEnvelope(reply);
  const files = findAddresses(reply, videoPlaces).map((found) => toFile(found, record));
  const model = findMember(record, ['model', 'model_name'], asText);
  const output: Video = {
    type: 'video',
    files,
    thumbnailUrl: findAddresses(reply, thumbnailPlaces)[0]?.url,
    model,
    prompt: findMember(record, ['prompt'], asText),
    seed: findMember(record, ['seed'], asWideInteger),
  };
  return {
    ...readTaskRecord(reply, { hasResult: files.length > 0, numberedStates }),
    output: files.length > 0 ? output : undefined,
    servedBy: model === undefined ? undefined : { model },
  };
}

export function decodeTransitionVideo(reply: Json): TaskReading {
  const reading = decodeVideo(reply, transitionStates);
  if (reading.rawStatus !== '6') return reading;
  return { ...reading, status: 'FAILED', error: taskFailure('FAILED', 'The gateway deleted this video.') };
}

/** Reads a task of /videoa. Undefined if the reply has no task. */
export function decodeHandledVideo(reply: Json): TaskReading | undefined {
  const reading = decodeVideo(reply);
  const isSilent = reading.status === 'UNKNOWN' && reading.rawStatus === undefined;
  return isSilent && findUpstreamId(reply) === undefined ? undefined : reading;
}

export const decodeVideoAcknowledgement = acknowledgement((reply) => decodeVideo(reply));

export const decodeTransitionAcknowledgement = acknowledgement(decodeTransitionVideo);

function toFile({ url, holder }: FoundAddress, record: TaskRecord): Asset {
  return {
    kind: 'VIDEO',
    url,
    durationSeconds: firstOf(holder, durationNames, asAmount) ?? findMember(record, durationNames, asAmount),
    width: firstOf(holder, ['width', 'outputWidth'], asCount),
    height: firstOf(holder, ['height', 'outputHeight'], asCount),
  };
}
