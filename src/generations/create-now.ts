import type { Json } from '../lib/json.ts';
import type { Generation, GenerationFailure, GenerationUsage, StoredOutput } from '../store/records.ts';
import type { CreateCall, GenerationSpec } from './create.ts';
import type { ReplyFacts } from './trace-generations.ts';
import { type AcceptedCreate, createGeneration } from './create-generation.ts';

export interface ImmediateCreation<Input> extends GenerationSpec<Input> {
  readonly decode: (reply: Json) => ImmediateResult;
}

export interface ImmediateResult {
  readonly output?: StoredOutput | undefined;
  readonly usage?: GenerationUsage | undefined;
  /** Why the result is missing. The gateway answered, so the request may have been charged. */
  readonly error?: GenerationFailure | undefined;
  /** For the span. */
  readonly replyFacts?: ReplyFacts | undefined;
}

/** Runs a create whose reply contains the result. @throws ExpectedError */
export function createNow<Input extends object>(
  call: CreateCall,
  creation: ImmediateCreation<Input>,
): Promise<Generation> {
  return createGeneration(call, {
    ...creation,
    status: 'RUNNING',
    isAccepted: (reply) => creation.decode(reply).error === undefined,
    accept: (reply, _generation, now) => toAcceptedResult(creation.decode(reply), now),
  });
}

export function toAcceptedResult(
  { output, usage, error, replyFacts }: ImmediateResult,
  now: number,
): AcceptedCreate {
  return {
    patch: { status: error ? 'FAILED' : 'SUCCEEDED', output, usage, error, finishedAt: now },
    replyFacts,
  };
}
