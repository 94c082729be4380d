import { type ExpectedError, GatewayError, StreamError } from '../errors.ts';
import { BodyEncodingError } from '../gateway/decode-body.ts';
import { decodeError } from '../gateway/decode-error.ts';
import type { OnEvents, StreamEnd } from '../gateway/event-stream.ts';
import type { StreamReply } from '../gateway/gateway.ts';
import { append } from '../lib/append.ts';
import { asJsonObject, isRecord, type Json, type JsonObject } from '../lib/json.ts';
import type { Clock } from '../lib/clock.ts';
import { createRepeatedEvents } from './repeated-events.ts';
import type { GenerationStream, StreamedKind } from './streamed-kind.ts';

/** How the gateway's reply ended. */
export type ReplyOutcome =
  | {
      readonly type: 'completed';
      /** The reply when it was one document, not a stream. */
      readonly document?: Json;
    }
  | { readonly type: 'failed'; readonly error: ExpectedError };

export interface DrainOptions<State, Delta> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly reply: StreamReply;
  readonly stream: GenerationStream<State, Delta>;
  /** Redacted from error messages. */
  readonly credential: string;
  readonly isServerKey: boolean;
  readonly clock: Clock;
}

/** Reads a reply to its end into the stream's log, with or without watchers. Never throws: every end is an outcome. */
export async function drainReply<State, Delta>(options: DrainOptions<State, Delta>): Promise<ReplyOutcome> {
  const { streamed, reply, stream } = options;
  const { reader } = stream;
  if (reply.type === 'document') {
    // Some channels answer a streaming request with the whole reply at once.
    const delta = isRecord(reply.body) ? reader.read(reply.body) : undefined;
    if (delta !== undefined) stream.append([delta]);
    return { type: 'completed', document: reply.body };
  }
  let outcome: ReplyOutcome | undefined;
  let lastBody: JsonObject | undefined;
  let cancelDiscard: (() => void) | undefined;
  const ended = Promise.withResolvers<ReplyOutcome>();
  const end = (result: ReplyOutcome): void => {
    outcome ??= result;
    ended.resolve(outcome);
  };
  const complete = (): void => {
    end({ type: 'completed' });
    // Nothing may follow the end marker. If the gateway leaves the stream open, disconnect after a grace time.
    cancelDiscard = options.clock.after(closeGraceMs, reply.discard);
  };
  const repeated = createRepeatedEvents(reader, stream.redactor);
  const noteFirstToken = (deltas: readonly Delta[]): void => {
    const { timing } = stream;
    if (timing.firstTokenAt === undefined && deltas.some(streamed.hasToken))
      timing.firstTokenAt = options.clock.elapsed();
  };
  const stopIfTooLarge = (): void => {
    const error = streamed.findExcess?.(stream.state);
    if (error) end({ type: 'failed', error });
  };
  const readText = (text: string): number => {
    const run = outcome ? undefined : repeated.read(text);
    if (!run) return 0;
    noteFirstToken([run.merged]);
    if (!stream.appendRun(run)) return 0;
    lastBody = undefined;
    stopIfTooLarge();
    return run.texts.length;
  };
  const readEvents: OnEvents = (events, isTail) => {
    let deltas: Delta[] = [];
    let isComplete = false;
    let lastData = '';
    for (const data of events) {
      if (outcome || isComplete) break;
      if (data.trim() === '[DONE]') {
        isComplete = true;
      } else {
        const read = readEvent(data, options);
        lastBody = read.body;
        lastData = data;
        // The end of the body cut the last event. The end of the stream says so.
        if (isTail && read.body === undefined) break;
        if (read.error) end({ type: 'failed', error: read.error });
        else if (read.delta !== undefined) deltas = append(deltas, read.delta);
        isComplete = reader.isComplete ?? false;
      }
    }
    if (lastBody && lastData !== '') repeated.remember(lastData, lastBody);
    noteFirstToken(deltas);
    // Deltas of one read reach watchers as one event.
    stream.append(deltas);
    if (isComplete) complete();
    else stopIfTooLarge();
  };
  const reading = reply.read(readEvents, readText);
  reading.then(
    (streamEnd) => {
      if (streamEnd.type === 'document') stream.timing.firstTokenAt = undefined;
      // Usually: an error would record its stack for nothing.
      if (outcome) return;
      end(
        streamEnd.type === 'document' && lastBody !== undefined
          ? { type: 'completed', document: lastBody }
          : { type: 'failed', error: toStreamError(streamEnd) },
      );
    },
    (cause: unknown) => end({ type: 'failed', error: toUnreadable(cause) }),
  );
  void reading.catch(() => {}).finally(() => cancelDiscard?.());
  return ended.promise;
}

/** How long the gateway may keep the connection open after the end marker. */
const closeGraceMs = 2000;

function toUnreadable(cause: unknown): ExpectedError {
  const isKnown = cause instanceof BodyEncodingError || cause instanceof RangeError;
  const reason = isKnown ? `: ${cause.message}` : '';
  return new GatewayError(`The gateway's stream could not be read${reason}.`, { cause });
}

interface ReadEvent<Delta> {
  /** Undefined if the event is unreadable. */
  readonly body?: JsonObject;
  readonly delta?: Delta | undefined;
  readonly error?: ExpectedError;
}

function readEvent<State, Delta>(
  data: string,
  { streamed, stream, credential, isServerKey, clock }: DrainOptions<State, Delta>,
): ReadEvent<Delta> {
  const body = asJsonObject(stream.redactor.tryParse(data));
  // Skipping an unreadable event would silently lose part of the result.
  if (!body)
    return { error: new GatewayError("The gateway's stream contains an unreadable event.", { status: 200 }) };
  if (streamed.isRefusal(body))
    return {
      body,
      error: decodeError({ status: 200, body, credential, isServerKey, now: clock.now(), isInStream: true }),
    };
  return { body, delta: stream.reader.read(body) };
}

/** Only the end marker completes a stream. The end of the response body does not. */
function toStreamError(end: StreamEnd): StreamError {
  switch (end.type) {
    case 'end-of-file':
    case 'document':
      return new StreamError('STREAM_UNFINISHED', "The gateway's stream ended without its end marker.");
    case 'stalled':
      return new StreamError('STREAM_STALLED', "The gateway's stream sent nothing for too long.");
    case 'cut':
      return new StreamError('STREAM_CUT', 'The connection to the gateway broke during the stream.');
    default:
      return end satisfies never;
  }
}
