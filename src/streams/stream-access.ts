import type { Engine } from '../generations/engine.ts';
import type { Generation, LazyGeneration, StoredOutput } from '../store/records.ts';
import { cancelStream, type EndParts } from './end-stream.ts';
import { findStream, type StreamedKind, type StreamProgress } from './streamed-kind.ts';

/** The streams of this instance, and of the others. */
type AllStreams = Pick<Engine, 'streams' | 'remoteStreams'>;

/** The GraphQL layer's view of one kind of stream. Hides the types of state and deltas. */
export interface StreamAccess {
  /** Whether this generation runs as a stream. @default all generations of the kind do */
  readonly isStreamed?: StreamedKind<unknown, unknown>['isStreamed'];
  /** Cancels the stream, on any instance. Returns the recorded generation. A stream that has ended keeps its first end. */
  cancel(generation: Generation, engine: EndParts & AllStreams): Promise<LazyGeneration>;
  /** The current output. While the stream runs here, the output in the record is older. */
  findOutput(generation: LazyGeneration, engine: AllStreams): StoredOutput | undefined;
  /** The current output, in the form of the record, of a stream that runs on another instance. */
  findRemoteOutput(id: string, engine: AllStreams): Promise<StoredOutput | undefined>;
}

export function streamAccess<State, Delta>(
  streamed: StreamedKind<State, Delta>,
  findOutput: StreamAccess['findOutput'],
): StreamAccess {
  return {
    ...(streamed.isStreamed && { isStreamed: streamed.isStreamed }),
    cancel: (generation, engine) => cancelStream(streamed, generation, engine),
    findOutput,
    async findRemoteOutput(id, engine) {
      if (findStream(engine, streamed, id)) return undefined;
      const progress = await engine.remoteStreams?.findProgress(id);
      // The producer's kind is the same, so is the type of its state.
      return progress && streamed.toOutput(progress as StreamProgress<State>);
    },
  };
}
