import { ExpectedError, RequestError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { followStream, type GenerationEvents, refusedStream } from './follow-stream.ts';
import { missingKeyIssues, startStream, type StreamedCreation } from './run-stream.ts';

/** Starts a stream and watches it; of one that is refused, the refusal is its only event, in the mutation's types. */
export async function createAndFollow<State, Delta, Input extends object>(
  context: Context,
  creation: StreamedCreation<State, Delta, Input>,
): Promise<GenerationEvents<State, Delta>> {
  const { key, streamed } = creation;
  try {
    const issues = [...missingKeyIssues(key), ...creation.issues];
    const isDetachable = key?.source !== 'client';
    const generation = await startStream(context, { ...creation, issues, isDetachable });
    return followStream(context, streamed, generation);
  } catch (error) {
    if (error instanceof ExpectedError && !(error instanceof RequestError))
      return refusedStream(streamed, error);
    throw error;
  }
}
