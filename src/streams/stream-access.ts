import type { Engine } from '../generations/engine.ts';
import type { Generation, StoredOutput } from '../store/records.ts';
import { cancelStream } from './end-stream.ts';
import type { StreamedKind } from './streamed-kind.ts';

/** What the graph needs of the streams of one kind, whatever the types of their state and deltas. */
export interface StreamAccess {
  /** Whether this generation runs as a stream. */
  isStreamed(generation: Generation): boolean;
  /** Stops it, on whichever instance it runs. Returns the generation as its first end left it. */
  cancel(generation: Generation, engine: Engine): Promise<Generation>;
  /** The output as of now, which is ahead of the record while the stream runs. */
  findOutput(generation: Generation, engine: Engine): StoredOutput | undefined;
}

export function streamAccess<State, Delta>(
  streamed: StreamedKind<State, Delta>,
  findOutput: StreamAccess['findOutput'],
): StreamAccess {
  return {
    isStreamed: (generation) => streamed.isStreamed(generation),
    cancel: (generation, engine) => cancelStream(streamed, generation, engine),
    findOutput,
  };
}
