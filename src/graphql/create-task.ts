import { withoutMedia } from '../generations/without-media.ts';
import type { Json } from '../lib/json.ts';
import { type Generation, isTerminal, type Task } from '../store/records.ts';
import { findTaskKind, taskIdOf, type TaskReading } from '../tasks/task-kinds.ts';
import { toGenerationPatch } from '../tasks/tasks.ts';
import type { CreateCall } from './create.ts';
import { type Accepted, createGeneration, type GenerationCreation } from './create-generation.ts';

export interface TaskCreation<Input> extends GenerationCreation<Input> {
  /** Reads the acknowledgement; undefined when it names no task. */
  readonly decode: (reply: Json) => Acknowledgement | undefined;
}

export interface Acknowledgement {
  readonly upstreamId: string;
  /** As the family reads it; where that is silent on its state, it is taken as queued. */
  readonly reading: TaskReading;
}

/** A create whose result comes later: records its generation and task. @throws ExpectedError */
export async function createTask<Input extends object>(
  call: CreateCall,
  creation: TaskCreation<Input>,
): Promise<Generation> {
  return createGeneration(call, {
    ...creation,
    initialStatus: 'QUEUED',
    accept(reply, generation, now) {
      const acknowledgement = creation.decode(reply);
      if (!acknowledgement) return toFinished(creation, reply, now);
      const task = toTask(generation, acknowledgement, now);
      return { task, patch: { ...toGenerationPatch(task, now), taskId: task.id } };
    },
  });
}

/** A reply without an id that holds the result already; undefined for any other. */
function toFinished<Input>({ kind }: TaskCreation<Input>, reply: Json, now: number): Accepted | undefined {
  const reading = findTaskKind(kind)?.decode?.(reply);
  if (reading?.status !== 'SUCCEEDED') return undefined;
  return { patch: { status: 'SUCCEEDED', output: reading.output, finishedAt: now } };
}

function toTask(
  { kind, owner, id, createdAt }: Generation,
  { upstreamId, reading }: Acknowledgement,
  now: number,
): Task {
  const handle = { kind, upstreamId };
  // Named without a word on its state, work has been accepted, of whatever family it is.
  const isUnsaid = !reading.rawStatus?.trim() && !isTerminal(reading.status);
  const madeAt = reading.createdAt ?? createdAt;
  return {
    ...reading,
    ...handle,
    status: isUnsaid ? 'QUEUED' : reading.status,
    id: taskIdOf(handle),
    owner,
    generationId: id,
    createdAt: madeAt,
    // Some gateways tell whole seconds, or have another clock.
    updatedAt: Math.max(madeAt, reading.updatedAt ?? now),
    raw: withoutMedia(reading.raw),
    ...(reading.request !== undefined && { request: withoutMedia(reading.request) }),
  };
}
