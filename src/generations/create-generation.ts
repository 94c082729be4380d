import { LostReplyError } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import type { Generation, GenerationPatch, Task, TaskStatus } from '../store/records.ts';
import { type CreateCall, type GenerationSpec, runGenerationCreate } from './create.ts';
import { withoutMedia } from './without-media.ts';

/** What the gateway's reply means for the records. */
export interface Accepted {
  readonly patch: GenerationPatch;
  readonly task?: Task;
}

interface Sending<Input> extends GenerationSpec<Input> {
  /** While the create waits for its reply. */
  readonly status: TaskStatus;
  /** Reads the reply; undefined when it does not say what was accepted. */
  readonly accept: (reply: Json, generation: Generation, now: number) => Accepted | undefined;
}

/** Sends a create once and records what its reply means. @throws ExpectedError */
export function createGeneration<Input extends object>(
  call: CreateCall,
  sending: Sending<Input>,
): Promise<Generation> {
  const { gateway, clock } = call.engine;
  return runGenerationCreate(call, sending, async (claim, generation, request) => {
    const reply = await gateway.create(request);
    const accepted = sending.accept(reply, generation, clock.now());
    // The gateway accepted work, and may charge for it, but named no task. Sending it again could pay twice.
    if (!accepted) throw new LostReplyError('it names no task', { reply });
    const patch = { ...accepted.patch, isVisible: true, raw: withoutMedia(reply) };
    await claim.settle({ ...accepted, generation: patch });
    return { ...generation, ...patch };
  });
}
