import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { isRecord, stringifyJson } from '../lib/json.ts';
import { withoutMark } from '../lib/text.ts';
import { codeOf } from '../lib/thrown.ts';
import { BodyEncodingError } from './decode-body.ts';
import { isErrorBody } from './decode-error.ts';
import { createEventSeparator } from './separate-events.ts';
import { createDocumentStart } from './document-start.ts';
import { type HttpReply, isTransportError } from './http-client.ts';
import { tryParseReply } from './parse-reply.ts';

/** How the transport of an event stream ended. The caller decides whether the stream was complete. */
export type StreamEnd =
  | { readonly type: 'end-of-file' }
  /** The body was one JSON document. It was passed like an event. */
  | { readonly type: 'document' }
  | { readonly type: 'stalled'; readonly cause: unknown }
  | { readonly type: 'cut'; readonly cause: unknown };

/** Limit for one event. */
const maxEventChars = 16 * 1024 * 1024;
/** Limit for a stream. Each token of a chat takes a few hundred characters. */
const maxStreamChars = 128 * 1024 * 1024;
/** Limit for a line of bare JSON. */
const maxBareChars = 64 * 1024;

/**
 * Receives the events of one socket read. `isTail`: the body ended without a blank line after the events, so the last one may
 * be incomplete.
 */
export type OnEvents = (data: readonly string[], isTail: boolean) => void;

/**
 * Receives the text of a socket read that begins between events, before it is divided into events. Returns their number, or 0
 * if they must come by `OnEvents`.
 */
export type OnText = (text: string) => number;

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), or one JSON document in their
 * place. Passes all events of one socket read in one call, so that the consumer can coalesce them. Connection failures are
 * reported in the StreamEnd. Rejects if an event or the stream exceeds its size limit, if the body cannot be decoded, or if the consumer
 * throws.
 */
export function createEventReader(
  reply: HttpReply,
  { maxChars = maxStreamChars } = {},
): (onEvents: OnEvents, onText?: OnText) => Promise<StreamEnd> {
  return async (onEvents, onText) => {
    let batch: string[] = [];
    let eventCount = 0;
    let charCount = 0;
    let isTail = false;
    /** Whether the parser holds nothing, so that the next text begins an event. */
    let isBetweenEvents = false;
    const decoder = new StringDecoder('utf8');
    const documentStart = createDocumentStart();
    const holdBareJson = createBareJsonBuffer();
    const separate = createEventSeparator();
    const parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent({ event, data }) {
        if (event === 'error') batch.push(isTail && isCutJson(data) ? data : toErrorBody(data));
        // An event without data is a keep-alive.
        else if (data !== '') batch.push(data);
      },
      onError(error) {
        if (error.type === 'max-buffer-size-exceeded')
          throw new RangeError(`one event has more than ${maxEventChars} characters`, { cause: error });
        // A gateway that fails mid-stream may write its JSON error as a bare line, without `data:`.
        if (error.type === 'unknown-field' && error.line?.startsWith('{')) batch.push(error.line);
      },
    });
    const parse = (text: string): void => parser.feed(separate(holdBareJson(text)));
    const passBatch = (): void => {
      if (batch.length === 0) return;
      const events = batch;
      batch = [];
      eventCount += events.length;
      onEvents(events, isTail);
    };
    const feed = (decoded: string): void => {
      if (decoded === '') return;
      const text = charCount === 0 ? withoutMark(decoded) : decoded;
      charCount += decoded.length;
      if (charCount > maxChars) throw new RangeError(`the stream has more than ${maxChars} characters`);
      const taken = isBetweenEvents && !isTail ? (onText?.(text) ?? 0) : 0;
      eventCount += taken;
      if (taken > 0) return;
      const { line, rest } = documentStart.add(text);
      if (line !== undefined) batch.push(line);
      if (rest !== '') parse(rest);
      isBetweenEvents = documentStart.isStream && text.endsWith('\n\n');
      passBatch();
    };
    try {
      await reply.consume((chunk) => feed(decoder.write(chunk)));
    } catch (cause) {
      if (codeOf(cause) === 'UND_ERR_BODY_TIMEOUT') return { type: 'stalled', cause };
      if (isTransportError(cause) && !isUndecodable(cause)) return { type: 'cut', cause };
      throw cause;
    }
    isTail = true;
    feed(decoder.end());
    const held = documentStart.end();
    if (tryParseReply(held) !== undefined) {
      batch.push(held);
      passBatch();
      return { type: 'document' };
    }
    // Some gateways omit the blank line after the last event.
    parse(`${held}\n\n`);
    passBatch();
    return eventCount === 1 && documentStart.isLine ? { type: 'document' } : { type: 'end-of-file' };
  };
}

function isUndecodable(cause: unknown): boolean {
  return cause instanceof BodyEncodingError && !cause.isTruncated;
}

/** JSON that was cut. An error event may also have plain text. */
function isCutJson(data: string): boolean {
  return data === '' || (/^\s*[{"]/.test(data) && tryParseReply(data) === undefined);
}

/** Converts the data of an event named `error` to an error body. */
function toErrorBody(data: string): string {
  const body = tryParseReply(data);
  if (isErrorBody(body)) return data;
  return stringifyJson({ error: isRecord(body) ? body : { message: data || 'The gateway sent an error.' } });
}

/**
 * Buffers a line that starts with `{` until it is complete. The parser would drop the beginning of an incomplete line that
 * cannot become a field, and with it the JSON error of a failing gateway.
 */
function createBareJsonBuffer(): (text: string) => string {
  let held = '';
  let isLineStart = true;
  return (text) => {
    // Reads only the new text: a line may arrive in tiny parts.
    const start = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    const isContinued = start === 0 && held !== '';
    const line = isContinued ? held + text : text.slice(start);
    const begins = isContinued || ((start > 0 || isLineStart) && text[start] === '{');
    const isBare = begins && line.length <= maxBareChars;
    const before = isContinued ? '' : held + text.slice(0, start);
    const complete = isBare ? before : held + text;
    held = isBare ? line : '';
    if (complete !== '') isLineStart = complete.endsWith('\n') || complete.endsWith('\r');
    return complete;
  };
}
