import type { ExpectedError } from '../../errors.ts';
import type { Json } from '../../lib/json.ts';
import type { Generation, GenerationKind, GenerationUsage, StoredOutput } from '../../store/records.ts';
import type { RecordedStream } from '../../streams/recorded-stream.ts';
import type { StreamShape } from '../../streams/shape.ts';
import type { Engine } from '../../generations/engine.ts';

/** What tells one kind of streamed generation from another. */
export interface StreamedKind<State, Delta> {
  readonly kind: GenerationKind;
  /** What messages call it: `chat`. */
  readonly noun: string;
  readonly shape: StreamShape<State, Delta>;
  /** Whether it is run as a stream; a generation of this kind that is not ends with its reply. */
  isStreamed(generation: Generation): boolean;
  createReader(): ReplyReader<State, Delta>;
  /** Whether a reply, or one event of it, says that all of it failed. */
  isRefusal(body: Json): boolean;
  /** Why a reply that came to its end is no success all the same. `isWhole`: it did not come as a stream. */
  findFailure?(state: State, isWhole: boolean): ExpectedError | undefined;
  /** What the record keeps, and what comes back of it. */
  toOutput(progress: StreamProgress<State>): StoredOutput;
  fromOutput(output: StoredOutput | undefined): StreamProgress<State>;
}

export interface StreamProgress<State> {
  /** Number of the last delta that `state` holds. */
  readonly sequence: number;
  readonly state: State;
}

/** Turns one reply into deltas, and keeps what is not in them for the record. */
export interface ReplyReader<State, Delta> {
  /** What an event, or a whole reply, adds; undefined when it adds nothing to see. */
  read(body: Readonly<Record<string, unknown>>): Delta | undefined;
  /** Whether what was read last is this stream's closing mark, where that is another than `[DONE]`. */
  readonly isComplete?: boolean;
  readonly usage: GenerationUsage | undefined;
  /** The reply put together as one document, undeclared members included. */
  toRaw(state: State): Json;
}

/** How a stream ended, with its record as it stands then. */
export interface StreamOutcome {
  readonly type: 'completed' | 'canceled' | 'failed';
  readonly generation: Generation;
  readonly error?: ExpectedError | undefined;
}

/** A recorded stream with what reads its reply, for whoever ends it. */
export type GenerationStream<State, Delta> = RecordedStream<State, Delta, StreamOutcome> & {
  readonly reader: ReplyReader<State, Delta>;
};

/** The running or just finished stream of a generation, while its log is kept. */
export function findStream<State, Delta>(
  engine: Engine,
  { shape }: StreamedKind<State, Delta>,
  generationId: string,
): GenerationStream<State, Delta> | undefined {
  // Streams of these shapes are opened with their reader.
  return engine.streams.find<State, Delta, StreamOutcome>(shape, generationId) as
    | GenerationStream<State, Delta>
    | undefined;
}
