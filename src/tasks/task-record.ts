import {
  findErrorCode,
  hasFailureCode,
  isSuccessCode,
  readDetail,
  readErrorBody,
} from '../gateway/decode-error.ts';
import { asArray, asId, asRecord, asString, type Json } from '../lib/json.ts';
import { toMilliseconds } from '../lib/time.ts';
import { reconcileStatus, toProgress, toTaskStatus } from './status.ts';
import { taskFailure, type TaskReading } from './task-kinds.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A task record from a reply whose shape is undocumented, with its envelope if it has one. */
export interface TaskRecord {
  /** The envelope; equal to `inner` when there is none. */
  readonly outer: Members;
  readonly inner: Members;
}

const envelopeNames = ['data', 'Resp', 'output', 'result', 'task'];

export function openEnvelope(reply: Json): TaskRecord {
  const outer = asRecord(reply) ?? {};
  const inner = firstOf(outer, envelopeNames, (value) => asRecord(value) ?? asRecord(asArray(value)[0]));
  return { outer, inner: inner ?? outer };
}

/** The first of these members that `read` can decode. Searches the record first, then its envelope. */
export function findMember<Value>(
  { outer, inner }: TaskRecord,
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  return firstOf(inner, names, read) ?? firstOf(outer, names, read);
}

const idNames = ['task_id', 'taskId', 'id', 'video_id', 'videoId', 'generation_id', 'job_id'];

/**
 * The task's id at the gateway. In an envelope, or beside words without a state, `request_id` identifies the HTTP request, so
 * it does not count.
 */
export function findUpstreamId(reply: Json): string | undefined {
  const record = openEnvelope(reply);
  const { outer, inner } = record;
  const id = findMember(record, idNames, asId);
  if (id !== undefined || inner !== outer || 'code' in outer) return id;
  const isExplained = !isSuccessCode(readErrorBody(outer).message);
  const hasState = firstOf(outer, stateNames, asText) !== undefined;
  return isExplained && !hasState ? undefined : asId(outer['request_id']);
}

const stateNames = ['status', 'task_status', 'state'];

export interface RecordEvidence {
  /** Whether the reply holds the result. */
  readonly hasResult: boolean;
  /** Status words by number, for families that number their states. */
  readonly numberedStates?: Readonly<Record<number, string>> | undefined;
}

/** Decodes the state of a task from the conventional members of task records. */
export function readTaskRecord(reply: Json, { hasResult, numberedStates }: RecordEvidence): TaskReading {
  const record = openEnvelope(reply);
  const { outer, inner } = record;
  const failure = findFailure(inner) ?? findFailure(outer);
  const hasError = failure !== undefined;
  const states = (inner === outer ? [inner] : [outer, inner]).map((holder) =>
    firstOf(holder, stateNames, (value) => toState(value, numberedStates)),
  );
  const [outerState, innerState] = states;
  const reconciled = reconcileStatus({
    outer: outerState?.word,
    inner: innerState?.word,
    hasResult,
    hasError,
    isOver: findMember(record, ['completed_at'], toMilliseconds) !== undefined || isDataRemoved(record),
  });
  // An envelope's success says that the read succeeded, not the task.
  const isUnprovenSuccess =
    reconciled.isUnprovenSuccess && (inner === outer || toTaskStatus(innerState?.word) === 'SUCCEEDED');
  const implied = hasResult ? 'SUCCEEDED' : hasError ? 'FAILED' : 'UNKNOWN';
  const status = reconciled.rawStatus === undefined ? implied : reconciled.status;
  const message = failure ?? firstOf(inner, ['task_status_msg', 'message'], asText);
  return {
    status,
    ...(isUnprovenSuccess && { isUnprovenSuccess }),
    rawStatus: states.find((state) => state?.word === reconciled.rawStatus)?.raw,
    progress: findMember(record, ['progress'], (value) => toProgress(value, status)),
    createdAt: findMember(record, ['created_at', 'create_time', 'submit_time', 'created'], toMilliseconds),
    updatedAt: findMember(
      record,
      ['updated_at', 'update_time', 'status_update_time', 'modify_time'],
      toMilliseconds,
    ),
    error: taskFailure(status, message, findErrorCode([inner, outer])),
    raw: reply,
  };
}

function isDataRemoved(record: TaskRecord): boolean {
  return findMember(record, ['data_removed'], (value) => (value === true ? true : undefined)) ?? false;
}

export interface Acknowledgement {
  readonly upstreamId: string;
  /** Decoded by the family. A reading without a state counts as queued. */
  readonly reading: TaskReading;
}

/** Decodes the acknowledgement of a create. `findId` returns undefined if the reply names no task. */
export function acknowledgement(
  decode: (reply: Json) => TaskReading,
  findId: (reply: Json) => string | undefined = findUpstreamId,
): (reply: Json) => Acknowledgement | undefined {
  return (reply) => {
    const upstreamId = findId(reply);
    return upstreamId === undefined ? undefined : { upstreamId, reading: decode(reply) };
  };
}

/** Whether a reply has a task id, beside an error too: `request_id` may identify the HTTP request, so it does not count. */
export function namesTask(reply: Json): boolean {
  return findMember(openEnvelope(reply), idNames, asId) !== undefined;
}

/** A reply with a task id means that the gateway accepted the request, even if the reply has a failure code. */
export function isTaskRefusal(reply: Json): boolean {
  return hasFailureCode(reply) && findUpstreamId(reply) === undefined;
}

/** The first of these members that `read` can decode. */
export function firstOf<Value>(
  record: Members,
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const name of names) {
    const value = read(record[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function asText(value: unknown): string | undefined {
  return asString(value)?.trim() || undefined;
}

/** A finite number, or text that contains one. */
export function asAmount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The words of an `error` member: text, an object with a message or a detail, as in error replies, or a list of problems. */
function errorText(value: unknown): string | undefined {
  const error = asRecord(value);
  const detail = asArray(value).length > 0 ? value : error?.['detail'];
  return asText(value) ?? asText(error?.['message']) ?? asText(readDetail(detail));
}

const failureNames = ['error', 'error_message', 'error_msg', 'fail_reason', 'failure_reason'];

/** The reason of a failure in a record. */
export function findFailure(record: Members): string | undefined {
  return firstOf(record, failureNames, failureText);
}

/** Ignores URLs: some gateways put the result's address in an error member. */
function failureText(value: unknown): string | undefined {
  const text = errorText(value);
  return text === undefined || /^https?:\/\/\S+$/i.test(text) ? undefined : text;
}

interface State {
  /** The value in the reply, as text. */
  readonly raw: string;
  readonly word: string;
}

function toState(value: unknown, numbered: RecordEvidence['numberedStates']): State | undefined {
  const text = typeof value === 'number' && numbered ? String(value) : asText(value);
  if (text === undefined) return undefined;
  const known = /^\d+$/.test(text) ? numbered?.[Number(text)] : undefined;
  return { raw: String(value), word: known ?? text };
}
