import { type ExpectedError, GatewayError, StreamError } from '../../errors.ts';
import { decodeError, isErrorBody } from '../../gateway/decode-error.ts';
import type { StreamEnd } from '../../gateway/event-stream.ts';
import type { StreamReply } from '../../gateway/gateway.ts';
import type { Kernel } from '../../graphql/context.ts';
import { isRecord, parseJson } from '../../lib/json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Generation } from '../../store/records.ts';
import type { RecordedStream } from '../../streams/recorded-stream.ts';
import type { ChunkReader } from './chunk-reader.ts';
import { type ChatDelta, chatShape, type ChatState } from './completion.ts';
import { isChatError } from './wire.ts';

/** How a chat ended, with its record as it stands then. */
export interface ChatEnd {
  readonly type: 'completed' | 'canceled' | 'failed';
  readonly generation: Generation;
  readonly error?: ExpectedError | undefined;
}

export type ChatStream = RecordedStream<ChatState, ChatDelta, ChatEnd>;

/** The running or just finished stream of a chat, while its log is kept. */
export function findChatStream(kernel: Kernel, generationId: string): ChatStream | undefined {
  return kernel.streams.find<ChatState, ChatDelta, ChatEnd>(chatShape, generationId);
}

/** What the gateway's side of a chat came to. */
export type ChatOutcome =
  | { readonly type: 'completed' }
  | { readonly type: 'failed'; readonly error: ExpectedError };

export interface DrainOptions {
  readonly reply: StreamReply;
  readonly stream: ChatStream;
  readonly reader: ChunkReader;
  /** Taken out of error messages. */
  readonly credential: string;
  readonly clock: Clock;
}

/** Reads a reply to its end into the stream's log, whoever watches. Never throws: every ending has its name. */
export async function drainReply(options: DrainOptions): Promise<ChatOutcome> {
  const { reply, stream, reader } = options;
  if (reply.type === 'document') {
    // Some channels answer a streaming request with the whole reply at once.
    const delta = isRecord(reply.body) ? reader.read(reply.body) : undefined;
    if (delta) stream.append([delta]);
    return { type: 'completed' };
  }
  let outcome: ChatOutcome | undefined;
  let release: (() => void) | undefined;
  const concluded = Promise.withResolvers<ChatOutcome>();
  const conclude = (result: ChatOutcome): void => {
    outcome ??= result;
    concluded.resolve(outcome);
  };
  const whole = reply.read((events) => {
    const deltas: ChatDelta[] = [];
    for (const data of events) {
      if (outcome) break;
      if (data.trim() === '[DONE]') {
        conclude({ type: 'completed' });
        // Nothing is to come; a gateway that does not close is let go of.
        release = options.clock.after(afterDoneMs, reply.discard);
      } else {
        const read = readEvent(data, options);
        if (read.error) conclude({ type: 'failed', error: read.error });
        else if (read.delta) deltas.push(read.delta);
      }
    }
    // What arrived in one read reaches watchers as one event.
    stream.append(deltas);
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
const afterDoneMs = 2000;

interface ReadEvent {
  readonly delta?: ChatDelta | undefined;
  readonly error?: ExpectedError;
}

function readEvent(data: string, { reader, credential, clock }: DrainOptions): ReadEvent {
  const chunk = parseEvent(data);
  // Skipping what cannot be read would lose text without a word.
  if (!isRecord(chunk))
    return { error: new GatewayError("A part of the gateway's stream cannot be read.", { status: 200 }) };
  if (isChatError(chunk) || isErrorBody(chunk))
    return { error: decodeError({ status: 200, body: chunk, credential, now: clock.now() }) };
  return { delta: reader.read(chunk) };
}

function parseEvent(data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    return undefined;
  }
}

/** The end of file is never a completion: only `[DONE]` is. */
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
