import { findErrorCode, readDetail } from '../../gateway/decode-error.ts';
import { withoutMedia } from '../../generations/without-media.ts';
import type { GeneratedImage, ImageSet } from '../../generations/image-set.ts';
import { asWebAddress, readDataUri } from '../../lib/addresses.ts';
import {
  asCount,
  asArray,
  asBoolean,
  asId,
  asJsonObject,
  asRecord,
  asString,
  asWideInteger,
  isRecord,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { reconcileStatus } from '../../tasks/status.ts';
import { taskFailure, type TaskReading } from '../../tasks/task-kinds.ts';
import { acknowledgement, asText, findFailure } from '../../tasks/task-record.ts';

export const decodeAcknowledgement = acknowledgement(decodeResult, (reply) =>
  asId(asRecord(reply)?.['request_id']),
);

/**
 * Reads the result record, or the queue's reply before there is a result. The result record has no status member. The
 * status is as reported, otherwise SUCCEEDED with a result, FAILED with an error message, or RUNNING. A result may be
 * empty: the members that only a result record has prove the end.
 */
export function decodeResult(reply: Json): TaskReading {
  const body = asRecord(reply) ?? {};
  const message = findFailure(body) ?? asText(readDetail(body['detail']));
  const request = asJsonObject(body['request']);
  const result = findResult(body, requestedType(request));
  const { images, hasResult } = result;
  const reported = reconcileStatus({
    outer: asString(body['status']),
    hasResult,
    hasError: message !== undefined,
    isOver: body['data_removed'] === true || asString(body['completed_at']) !== undefined,
  });
  const isFailed = images.length === 0 && message !== undefined;
  const implied = isFailed ? 'FAILED' : hasResult ? 'SUCCEEDED' : 'RUNNING';
  const status = reported.rawStatus === undefined ? implied : reported.status;
  const output: ImageSet | undefined =
    images.length > 0 || (hasResult && status === 'SUCCEEDED')
      ? {
          type: 'image-set',
          images,
          seed: asWideInteger(result.record['seed']),
          prompt: asString(result.record['prompt']),
          timings: asJsonObject(result.record['timings']),
          request: request === undefined ? undefined : withoutMedia(request),
        }
      : undefined;
  return {
    status,
    rawStatus: reported.rawStatus,
    ...(reported.isUnprovenSuccess && { isUnprovenSuccess: true }),
    queuePosition: asCount(body['queue_position']),
    logs: decodeLogs(body['logs']),
    output,
    error: taskFailure(status, message, findErrorCode([body])),
    request,
    metrics: asJsonObject(body['metrics']),
    links: {
      get: asWebAddress(body['response_url']),
      status: asWebAddress(body['status_url']),
      cancel: asWebAddress(body['cancel_url']),
    },
    raw: reply,
  };
}

interface FoundResult {
  readonly record: Readonly<Record<string, unknown>>;
  readonly images: readonly GeneratedImage[];
  readonly hasResult: boolean;
}

/** Members of a queue's reply that can hold the result record. */
const wrappers = ['response', 'result', 'output', 'data'];

/** The result record is the reply itself, or a member of a reply of the queue. */
function findResult(body: Readonly<Record<string, unknown>>, fallbackType: string | undefined): FoundResult {
  const wrapped = wrappers.map((name) => asRecord(body[name])).filter((record) => record !== undefined);
  const found = [body, ...wrapped].map((record): FoundResult => {
    const images = decodeImages(record, fallbackType);
    return { record, images, hasResult: images.length > 0 || isResultRecord(record) };
  });
  return found.find(({ hasResult }) => hasResult) ?? { record: body, images: [], hasResult: false };
}

const queueMembers = ['queue_position', 'response_url', 'status_url', 'cancel_url'];

/** Whether a reply has members that the document shows only in the result record, and none of the queue's. */
function isResultRecord(body: Readonly<Record<string, unknown>>): boolean {
  if (queueMembers.some((name) => body[name] !== undefined)) return false;
  const { seed, timings, prompt, images, image } = body;
  const hasPrompt = asString(prompt) !== undefined && (images ?? image) !== undefined;
  return asWideInteger(seed) !== undefined || isRecord(timings) || hasPrompt;
}

/** A list of images, or one image. An image is a record or its URL. The URL in `image` may be that of the request. */
function decodeImages(
  body: Readonly<Record<string, unknown>>,
  fallbackType: string | undefined,
): readonly GeneratedImage[] {
  const nsfw = asArray(body['has_nsfw_concepts']);
  const places = [body['images'], asRecord(body['image'])];
  const list = places.map(toList).find(({ length }) => length > 0) ?? [];
  return list.flatMap((value, index) => {
    const image = asRecord(value) ?? { url: value };
    const url = asWebAddress(image['url']);
    const inline = readDataUri(image['url']);
    if ((url ?? inline) === undefined) return [];
    return [
      {
        url,
        base64: inline?.base64,
        width: asCount(image['width']),
        height: asCount(image['height']),
        contentType: asText(image['content_type']) ?? inline?.contentType ?? fallbackType,
        isNsfw: asBoolean(nsfw[index]),
      },
    ];
  });
}

function toList(value: unknown): readonly unknown[] {
  return isRecord(value) || typeof value === 'string' ? [value] : asArray(value);
}

/** The MIME type of the requested `output_format`. */
function requestedType(request: JsonObject | undefined): string | undefined {
  const format = asString(request?.['output_format']);
  return format === 'jpeg' || format === 'png' ? `image/${format}` : undefined;
}

/** Logs: text, or a list of lines. */
function decodeLogs(logs: unknown): string | undefined {
  if (!Array.isArray(logs)) return asString(logs);
  const lines = logs.flatMap((line) => asString(isRecord(line) ? line['message'] : line) ?? []);
  return lines.length > 0 ? lines.join('\n') : undefined;
}
