import type { ExpectedError } from '../errors.ts';
import type { Redactor } from '../gateway/redact.ts';
import type { ReplyFacts } from '../generations/trace-generations.ts';
import type { Json } from '../lib/json.ts';
import type {
  Generation,
  GenerationKind,
  GenerationUsage,
  LazyGeneration,
  StoredOutput,
} from '../store/records.ts';
import type { RecordedStream } from './recorded-stream.ts';
import type { StreamShape, TextRun } from './shape.ts';
import type { Streams } from './streams.ts';

/** A kind of generation whose reply is a stream. */
export interface StreamedKind<State, Delta> {
  readonly kind: GenerationKind;
  /** The noun in messages, for example `chat`. */
  readonly noun: string;
  readonly shape: StreamShape<State, Delta>;
  /** Whether this generation runs as a stream, for kinds that can be requested in both ways. @default all do */
  readonly isStreamed?: (generation: Pick<Generation, 'input'>) => boolean;
  /** `resolve` returns the URL of an address that is relative to the reply. Undefined if it is malformed. */
  createReader(resolve?: (address: string) => string | undefined): ReplyReader<State, Delta>;
  /** Whether a delta contains a part of the result, and not only facts about it. */
  hasToken(delta: Delta): boolean;
  /** Whether a reply, or one event of it, reports that the whole request failed. */
  isRefusal(body: Json): boolean;
  /** The error of a complete reply that holds no result. `document`: the reply, if it was one document, not a stream. */
  findFailure?(state: State, document: Json | undefined): ExpectedError | undefined;
  /** What the assembled reply says about itself, for the span. */
  describeReply?(raw: Json): ReplyFacts;
  /** The error that stops a stream whose state is too large. Asked after each read. @default none */
  findExcess?(state: State): ExpectedError | undefined;
  /** Converts between the stream's progress and the output in the record. */
  toOutput(progress: StreamProgress<State>): StoredOutput;
  fromOutput(output: StoredOutput | undefined): StreamProgress<State>;
}

export interface StreamProgress<State> {
  /** Sequence of the last delta in `state`. */
  readonly sequence: number;
  readonly state: State;
}

/** Turns one reply into deltas, and collects the other data for its record. */
export interface ReplyReader<State, Delta> {
  /** The delta of one event, or of a whole document. Undefined when it adds nothing visible. */
  read(body: Readonly<Record<string, unknown>>): Delta | undefined;
  /**
   * The text of an event that only appends this text, and whose other members could be read any number of times. The text
   * is the value of a member `content`.
   */
  textOf?(body: Readonly<Record<string, unknown>>): string | undefined;
  /** Reads consecutive events that have these texts, and differ from the last event by them alone. Undefined if they must be parsed. */
  readTexts?(texts: readonly string[]): TextRun<Delta> | undefined;
  /** Whether the last event was this kind's end marker. Absent for kinds whose only end marker is `[DONE]`. */
  readonly isComplete?: boolean;
  readonly usage: GenerationUsage | undefined;
  /** The reply assembled into one document, undeclared members included. Undefined before its first part. */
  toRaw(state: State): Json | undefined;
}

/** How a stream ended, and the record of its generation: without large contents, since the log holds it for a minute. */
export type StreamOutcome =
  | { readonly type: 'completed' | 'canceled'; readonly generation: LazyGeneration }
  | { readonly type: 'failed'; readonly generation: LazyGeneration; readonly error: ExpectedError };

/** By the monotonic clock. */
export interface StreamTiming {
  /** When the request was passed to the HTTP client. */
  readonly sentAt: number;
  /** When the first token or image arrived. Absent if the reply is one document. */
  firstTokenAt?: number | undefined;
}

/** A recorded stream with what reads and records its reply. */
export type GenerationStream<State, Delta> = RecordedStream<State, Delta, StreamOutcome> & {
  readonly reader: ReplyReader<State, Delta>;
  /** Removes the caller's credential from each event, and from records: it may be split between two events. */
  readonly redactor: Redactor;
  readonly timing: StreamTiming;
};

/** The running or recently finished stream of a generation, while its log is kept. */
export function findStream<State, Delta>(
  { streams }: { readonly streams: Pick<Streams, 'find'> },
  { shape }: StreamedKind<State, Delta>,
  generationId: string,
): GenerationStream<State, Delta> | undefined {
  // `openStream` adds the other members to every stream of these shapes.
  return streams.find<State, Delta, StreamOutcome>(shape, generationId) as
    | GenerationStream<State, Delta>
    | undefined;
}
