import type { CreateCall } from '../generations/create.ts';
import {
  type AcceptedCreate,
  createGeneration,
  type GenerationCreation,
} from '../generations/create-generation.ts';
import { type ImmediateResult, toAcceptedResult } from '../generations/create-now.ts';
import { toRecordedReply } from '../generations/recorded-reply.ts';
import { withoutMedia } from '../generations/without-media.ts';
import { isPathSegment } from '../gateway/path.ts';
import type { Json } from '../lib/json.ts';
import { type Generation, isTerminal, type Task } from '../store/records.ts';
import { maxTaskIdChars, taskIdOf, type TaskHandle, type TaskKind } from './task-kinds.ts';
import { toGenerationPatch } from './apply-reading.ts';
import { type Acknowledgement, namesTask } from './task-record.ts';

export interface TaskCreation<Input> extends GenerationCreation<Input> {
  /** Decodes the acknowledgement. Undefined when the reply names no task. */
  readonly decode: (reply: Json) => Acknowledgement | undefined;
  /** Decodes the result from a reply that names no task, for endpoints that may answer at once. */
  readonly decodeResult?: (reply: Json) => ImmediateResult;
}

/** A create that starts a task. Records the generation and the task. The function that runs it throws ExpectedError. */
export function createTask<Input extends object>(
  creation: TaskCreation<Input>,
): (call: CreateCall, input: Input) => Promise<Generation> {
  return (call, input) => {
    const kind = call.engine.taskKinds.find(creation.kind);
    return createGeneration(call, input, {
      ...creation,
      status: 'QUEUED',
      isAccepted: (reply) => namesTask(reply) || hasResult(creation, kind, reply),
      async accept(reply, generation, now) {
        const decoded = creation.decode(reply);
        const acknowledgement = decoded && isRecordable(creation.kind, decoded) ? decoded : undefined;
        if (!acknowledgement && creation.decodeResult)
          return toAcceptedResult(creation.decodeResult(reply), now);
        if (!acknowledgement) return toFinished(kind, reply, now);
        const { upstreamId, reading } = acknowledgement;
        const raw = await toRecordedReply(reading.raw, reading, call.engine.maxReplyBytes);
        const task = toTask(generation, { upstreamId, reading: { ...reading, raw } }, now);
        return { task, patch: { ...toGenerationPatch(task, now), taskId: task.id } };
      },
    });
  };
}

function hasResult<Input>(creation: TaskCreation<Input>, kind: TaskKind | undefined, reply: Json): boolean {
  if (creation.decodeResult) return creation.decodeResult(reply).error === undefined;
  return toFinished(kind, reply, 0)?.patch.output !== undefined;
}

/** Whether the task can be recorded and read by its id. */
function isRecordable(kind: TaskHandle['kind'], { upstreamId }: Acknowledgement): boolean {
  return isPathSegment(upstreamId) && taskIdOf({ kind, upstreamId }).length <= maxTaskIdChars;
}

/** Accepts a reply that names no task but already holds the result. */
function toFinished(kind: TaskKind | undefined, reply: Json, now: number): AcceptedCreate | undefined {
  const reading = kind?.decode?.(reply);
  if (reading?.status !== 'SUCCEEDED') return undefined;
  return { patch: { status: 'SUCCEEDED', output: reading.output, finishedAt: now } };
}

function toTask(
  { kind, owner, id, createdAt, traceparent }: Generation,
  { upstreamId, reading: { isUnprovenSuccess: _unproven, ...reading } }: Acknowledgement,
  now: number,
): Task {
  const handle = { kind, upstreamId };
  // The gateway accepted the task. Without a state in the reply, the task counts as queued.
  const hasNoState = !reading.rawStatus?.trim() && !isTerminal(reading.status);
  const startedAt = reading.createdAt ?? createdAt;
  return {
    ...reading,
    ...handle,
    status: hasNoState ? 'QUEUED' : reading.status,
    id: taskIdOf(handle),
    owner,
    generationId: id,
    ...(traceparent !== undefined && { traceparent }),
    createdAt: startedAt,
    // Some gateways report whole seconds or have a skewed clock.
    updatedAt: Math.max(startedAt, reading.updatedAt ?? now),
    ...(reading.request !== undefined && { request: withoutMedia(reading.request) }),
  };
}
