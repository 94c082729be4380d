import { type ExpectedError, GatewayError, StreamError } from '../errors.ts';
import { decodeError } from '../gateway/decode-error.ts';
import type { StreamEnd } from '../gateway/event-stream.ts';
import type { StreamReply } from '../gateway/gateway.ts';
import { tryParseReply } from '../gateway/parse-reply.ts';
import { isRecord, type Json } from '../lib/json.ts';
import type { Clock } from '../lib/clock.ts';
import type { GenerationStream, StreamedKind } from './streamed-kind.ts';

/** What the gateway's side of a stream came to. */
export type ReplyOutcome =
  | {
      readonly type: 'completed';
      /** The reply, where it came as a whole. */
      readonly document?: Json;
    }
  | { readonly type: 'failed'; readonly error: ExpectedError };

export interface DrainOptions<State, Delta> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly reply: StreamReply;
  readonly stream: GenerationStream<State, Delta>;
  /** Taken out of error messages. */
  readonly credential: string;
  readonly clock: Clock;
}

/** Reads a reply to its end into the stream's log, whoever watches. Never throws: every ending has its name. */
export async function drainReply<State, Delta>(options: DrainOptions<State, Delta>): Promise<ReplyOutcome> {
  const { reply, stream } = options;
  const { reader } = stream;
  if (reply.type === 'document') {
    // Some channels answer a streaming request with the whole reply at once.
    const delta = isRecord(reply.body) ? reader.read(reply.body) : undefined;
    if (delta !== undefined) stream.append([delta]);
    return { type: 'completed', document: reply.body };
  }
  let outcome: ReplyOutcome | undefined;
  let release: (() => void) | undefined;
  const concluded = Promise.withResolvers<ReplyOutcome>();
  const conclude = (result: ReplyOutcome): void => {
    outcome ??= result;
    concluded.resolve(outcome);
  };
  const complete = (): void => {
    conclude({ type: 'completed' });
    // Nothing is to come; a gateway that does not close is let go of.
    release = options.clock.after(afterEndMs, reply.discard);
  };
  const whole = reply.read((events) => {
    const deltas: Delta[] = [];
    let isComplete = false;
    for (const data of events) {
      if (outcome || isComplete) break;
      if (data.trim() === '[DONE]') {
        isComplete = true;
      } else {
        const read = readEvent(data, options);
        if (read.error) conclude({ type: 'failed', error: read.error });
        else if (read.delta !== undefined) deltas.push(read.delta);
        isComplete = reader.isComplete ?? false;
      }
    }
    // What arrived in one read reaches watchers as one event.
    stream.append(deltas);
    if (isComplete) complete();
  });
  whole.then(
    (how) => conclude({ type: 'failed', error: toStreamError(how) }),
    (cause: unknown) =>
      conclude({
        type: 'failed',
        error: new GatewayError("The gateway's stream could not be read.", { cause }),
      }),
  );
  void whole.catch(() => {}).finally(() => release?.());
  return concluded.promise;
}

/** How long a gateway may take to close a stream that it has marked as done. */
const afterEndMs = 2000;

interface ReadEvent<Delta> {
  readonly delta?: Delta | undefined;
  readonly error?: ExpectedError;
}

function readEvent<State, Delta>(
  data: string,
  { streamed, stream, credential, clock }: DrainOptions<State, Delta>,
): ReadEvent<Delta> {
  const body = tryParseReply(data);
  // Skipping what cannot be read would lose a part without a word.
  if (!isRecord(body))
    return { error: new GatewayError("A part of the gateway's stream cannot be read.", { status: 200 }) };
  if (streamed.isRefusal(body))
    return { error: decodeError({ status: 200, body, credential, now: clock.now() }) };
  return { delta: stream.reader.read(body) };
}

/** The end of file is never a completion: only the closing mark is. */
function toStreamError(end: StreamEnd): StreamError {
  switch (end.type) {
    case 'end-of-file':
      return new StreamError('STREAM_UNFINISHED', "The gateway's stream ended without its closing mark.");
    case 'stalled':
      return new StreamError('STREAM_STALLED', "The gateway's stream fell silent for too long.");
    case 'cut':
      return new StreamError('STREAM_CUT', 'The connection to the gateway broke within the stream.');
    default:
      return end satisfies never;
  }
}
