import { LostReplyError } from '../errors.ts';
import { withWords } from '../gateway/decode-error.ts';
import type { Json } from '../lib/json.ts';
import type { Generation, GenerationPatch, Task, TaskStatus } from '../store/records.ts';
import { type CreateCall, type GenerationSpec, runGenerationCreate } from './create.ts';
import type { ReplyFacts } from './trace-generations.ts';
import { toRecordedReply } from './recorded-reply.ts';

/** The record changes of a create that the gateway accepted. */
export interface AcceptedCreate {
  readonly patch: GenerationPatch;
  readonly task?: Task;
  /** For the span. @default a task has the id that the gateway gave it */
  readonly replyFacts?: ReplyFacts | undefined;
}

/** How one kind of generation is created, whatever the input. */
export interface GenerationCreation<Input> extends Omit<GenerationSpec<Input>, 'input' | 'model' | 'prompt'> {
  readonly model?: (input: Input) => string | undefined;
  readonly prompt?: (input: Input) => string | undefined;
}

interface AcceptedCreation<Input> extends GenerationCreation<Input> {
  /** Status of the generation until the reply arrives. */
  readonly status: TaskStatus;
  /** Decodes the reply. Undefined when it does not identify the accepted work. */
  readonly accept: (
    reply: Json,
    generation: Generation,
    now: number,
  ) => AcceptedCreate | undefined | Promise<AcceptedCreate | undefined>;
}

/** Sends a create once and records its result. @throws ExpectedError */
export function createGeneration<Input extends object>(
  call: CreateCall,
  input: Input,
  { model, prompt, ...creation }: AcceptedCreation<Input>,
): Promise<Generation> {
  const { gateway, clock, poller, generationTraces, maxReplyBytes } = call.engine;
  const spec = { ...creation, input, model: model?.(input), prompt: prompt?.(input) };
  return runGenerationCreate(call, spec, async (claim, generation, request) => {
    const reply = await gateway.create(request);
    const accepted = await creation.accept(reply, generation, clock.now());
    // The gateway accepted the work and may charge for it, but the reply does not identify it. Do not send it again.
    if (!accepted) throw new LostReplyError(withWords('it names no task', reply), { reply });
    const { task, replyFacts = task && { id: task.upstreamId } } = accepted;
    generationTraces?.noteReply(generation.id, replyFacts);
    const raw = await toRecordedReply(reply, accepted.patch, maxReplyBytes);
    const patch = { ...accepted.patch, isVisible: true, raw };
    const settled = await claim.settle({
      generation: patch,
      ...(task && {
        task,
        endIfTaken: { ...taken, finishedAt: clock.now(), openTask: undefined },
        onRecorded: () => poller.follow(call.caller, [{ task, createdAt: generation.createdAt }]),
      }),
    });
    // It may have ended otherwise than the reply says.
    return { ...generation, ...patch, ...settled };
  });
}

/** Some gateways answer an equal request with the task that it has started before. */
const taken = {
  status: 'FAILED',
  error: {
    code: 'GATEWAY_ERROR',
    message: 'The gateway named the task of an earlier generation, which has its result.',
    retry: 'MAY_CHARGE_AGAIN',
  },
} as const;
