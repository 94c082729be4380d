import { LostReplyError } from '../errors.ts';
import type { CredentialForm } from '../gateway/caller.ts';
import { checkInput, type InputLimits } from '../generations/check-input.ts';
import { newGeneration } from '../generations/new-generation.ts';
import { withoutMedia } from '../generations/without-media.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { Generation, GenerationKind, GenerationPatch, Task, TaskStatus } from '../store/records.ts';
import { requireCaller } from './context.ts';
import { argumentIssues, type CreateCall, getOwnGeneration, idempotencyKeyOf } from './create.ts';

/** One create operation of a capability: what it sends, and where. */
export interface GenerationCreation<Input> {
  readonly kind: GenerationKind;
  readonly input: Input;
  readonly limits: InputLimits<Input>;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  /** Absolute path on the gateway; made of the input once that is checked, where a member of it is a segment. */
  readonly path: string | ((input: Input) => string);
  readonly toBody: (input: Input) => JsonObject;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  /** A refusal under HTTP 200 that only this family can tell from its replies. */
  readonly isRefusal?: (reply: Json) => boolean;
}

/** What an accepted request came to. */
export interface Accepted {
  readonly patch: GenerationPatch;
  readonly task?: Task;
}

interface Sending<Input> extends GenerationCreation<Input> {
  readonly initialStatus: TaskStatus;
  /** Reads the reply; undefined when it tells nothing of what was accepted. */
  readonly accept: (reply: Json, generation: Generation, now: number) => Accepted | undefined;
}

/** Checks and sends a create, once, and records what came of it. @throws ExpectedError */
export async function createGeneration<Input extends object>(
  { args, context, info }: CreateCall,
  sending: Sending<Input>,
): Promise<Generation> {
  const { engine, requestId } = context;
  const { input, form = 'bearer', isRefusal } = sending;
  const caller = requireCaller(context);
  const key = idempotencyKeyOf(args, context, info);
  checkInput(sending.limits, input, argumentIssues(args));
  const body = sending.toBody(input);
  const path = typeof sending.path === 'string' ? sending.path : sending.path(input);
  const { kind, model, prompt } = sending;
  const generation = newGeneration({
    caller,
    body,
    kind,
    status: sending.initialStatus,
    model,
    prompt,
    group: args.group,
    now: engine.clock.now(),
  });
  return engine.creations.create<Generation>({
    owner: caller.owner,
    operation: info.fieldName,
    input,
    key,
    subjectId: generation.id,
    generation,
    replay: (id) => getOwnGeneration(engine, caller, id),
    async send() {
      const reply = await engine.gateway.create({
        path,
        form,
        body,
        caller,
        requestId,
        ...(isRefusal && { isRefusal }),
      });
      const accepted = sending.accept(reply, generation, engine.clock.now());
      // Accepted and perhaps paid for, but nothing to ask for: sending it again could pay twice.
      if (!accepted) throw new LostReplyError('it names no task', { reply });
      const patch = { ...accepted.patch, isVisible: true, raw: withoutMedia(reply) };
      return {
        settlement: { ...accepted, generation: patch },
        result: () => ({ ...generation, ...patch }),
      };
    },
  });
}
