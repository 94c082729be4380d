import { LostReplyError } from '../errors.ts';
import type { CredentialForm } from '../gateway/caller.ts';
import { checkInput, type InputLimits } from '../generations/check-input.ts';
import { newGeneration } from '../generations/new-generation.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { Generation, GenerationKind, Task } from '../store/records.ts';
import { taskIdOf, type TaskReading } from '../tasks/task-kinds.ts';
import { toGenerationPatch } from '../tasks/tasks.ts';
import { requireCaller } from './context.ts';
import { argumentIssues, type CreateCall, getOwnGeneration, idempotencyKeyOf } from './create.ts';

export interface TaskCreation<Input> {
  readonly kind: GenerationKind;
  readonly input: Input;
  readonly limits: InputLimits<Input>;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  /** Absolute path on the gateway. */
  readonly path: string;
  readonly toBody: (input: Input) => JsonObject;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  /** Reads the acknowledgement; undefined when it names no task. */
  readonly decode: (reply: Json) => Acknowledgement | undefined;
}

export interface Acknowledgement {
  readonly upstreamId: string;
  readonly reading: TaskReading;
}

/** Checks and sends a create whose result comes later, once, and records its generation and task. @throws ExpectedError */
export async function createTask<Input extends { readonly extra?: unknown }>(
  { args, context, info }: CreateCall,
  creation: TaskCreation<Input>,
): Promise<Generation> {
  const { kernel, requestId } = context;
  const { input, path, form = 'bearer' } = creation;
  const caller = requireCaller(context);
  const key = idempotencyKeyOf(args, context, info);
  checkInput(creation.limits, input, argumentIssues(args));
  const body = creation.toBody(input);
  const { kind, model, prompt } = creation;
  const now = kernel.clock.now();
  const generation = newGeneration({
    caller,
    body,
    kind,
    status: 'QUEUED',
    model,
    prompt,
    group: args.group,
    now,
  });
  return kernel.creations.create<Generation>({
    owner: caller.owner,
    operation: info.fieldName,
    input,
    key,
    subjectId: generation.id,
    generation,
    replay: (id) => getOwnGeneration(kernel, caller, id),
    async send() {
      const reply = await kernel.gateway.create({ path, form, body, caller, requestId });
      const acknowledgement = creation.decode(reply);
      // Accepted and perhaps paid for, but nothing to ask for: sending it again could pay twice.
      if (!acknowledgement) throw new LostReplyError('the reply names no task');
      const task = toTask(generation, acknowledgement, kernel.clock.now());
      const patch = {
        ...toGenerationPatch(task, kernel.clock.now()),
        isVisible: true,
        taskId: task.id,
        raw: reply,
      };
      return { settlement: { generation: patch, task }, result: () => ({ ...generation, ...patch }) };
    },
  });
}

function toTask(
  { kind, owner, id, createdAt }: Generation,
  { upstreamId, reading }: Acknowledgement,
  now: number,
): Task {
  const handle = { kind, upstreamId };
  // An unknown word right after the create still means that it was accepted.
  return {
    ...reading,
    ...handle,
    id: taskIdOf(handle),
    owner,
    generationId: id,
    createdAt: reading.createdAt ?? createdAt,
    updatedAt: now,
  };
}
