import {
  ExpectedError,
  type InputIssue,
  OutcomeUnknownError,
  RateLimitError,
  RequestError,
} from '../errors.ts';
import type { CreateCall } from '../generations/create.ts';
import type { OperationNotes } from '../generations/operation-notes.ts';
import { followStream, type GenerationEvents, failedStream } from './follow-stream.ts';
import type { FollowOptions } from './recorded-stream.ts';
import { startStream, type StreamedCreation } from './start-stream.ts';

export interface FollowedCreation<State, Delta, Input>
  extends StreamedCreation<State, Delta, Input>, Pick<FollowOptions, 'minIntervalMs'> {}

/** Starts a stream and follows it. A failed create yields one failure event with the mutation's error types. */
export async function createAndFollow<State, Delta, Input extends object>(
  call: CreateCall,
  { minIntervalMs, ...creation }: FollowedCreation<State, Delta, Input>,
): Promise<GenerationEvents<State, Delta>> {
  const { key, engine, caller, notes } = call;
  const { streamed } = creation;
  try {
    const issues = key ? call.issues : [missingKey, ...call.issues];
    const isDetachable = key?.source !== 'client';
    const generation = await startStream({ ...call, issues }, { ...creation, isDetachable });
    if (notes) notes.generationId = generation.id;
    return followStream({ engine, streamed, generation }, { minIntervalMs });
  } catch (error) {
    if (!(error instanceof ExpectedError) || error instanceof RequestError) throw error;
    const unknownId = error instanceof OutcomeUnknownError ? error.generationId : undefined;
    if (notes) noteError(error, notes);
    const ids = unknownId === undefined ? [] : [unknownId];
    const [generation] = await engine.store.findGenerations(caller.owner, ids);
    return failedStream(streamed, error, generation);
  }
}

function noteError(error: ExpectedError, notes: OperationNotes): void {
  notes.codes.add(error.code);
  if (error instanceof RateLimitError) notes.limit = error.limit;
  if (error instanceof OutcomeUnknownError) notes.generationId = error.generationId;
}

/** Without operation ids from the transport, only the client's own key makes a retry safe. */
const missingKey: InputIssue = {
  path: ['idempotencyKey'],
  message:
    'Required: without a key, a retry could be charged twice. Over WebSocket, a UUID as operation id is enough.',
  limit: 'required',
};
