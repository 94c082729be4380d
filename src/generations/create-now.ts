import type { Json } from '../lib/json.ts';
import type { Generation, GenerationFailure, GenerationUsage, StoredOutput } from '../store/records.ts';
import type { CreateCall } from './create.ts';
import type { ReplyFacts } from './trace-generations.ts';
import { type AcceptedCreate, createGeneration, type GenerationCreation } from './create-generation.ts';

export interface ImmediateCreation<Input> extends GenerationCreation<Input> {
  readonly decode: (reply: Json, input: Input, call: CreateCall) => ImmediateResult;
}

export interface ImmediateResult {
  readonly output?: StoredOutput | undefined;
  readonly usage?: GenerationUsage | undefined;
  /** Why the result is missing. The gateway answered, so the request may have been charged. */
  readonly error?: GenerationFailure | undefined;
  /** For the span. */
  readonly replyFacts?: ReplyFacts | undefined;
}

/** A create whose reply contains the result. The function that runs it throws ExpectedError. */
export function createNow<Input extends object>(
  creation: ImmediateCreation<Input>,
): (call: CreateCall, input: Input) => Promise<Generation> {
  return (call, input) =>
    createGeneration(call, input, {
      ...creation,
      status: 'RUNNING',
      isAccepted: (reply) => creation.decode(reply, input, call).error === undefined,
      accept: (reply, _generation, now) => toAcceptedResult(creation.decode(reply, input, call), now),
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
