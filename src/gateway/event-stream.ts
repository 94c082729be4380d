import { createParser } from 'eventsource-parser';
import { isRecord, stringifyJson } from '../lib/json.ts';
import { isErrorBody } from './decode-error.ts';
import { type ExchangeReply, isTransportError } from './exchange.ts';
import { tryParseReply } from './parse-reply.ts';

/** How an event stream stopped, as far as the transport can tell. Whether it was complete is for its reader to judge. */
export type StreamEnd =
  | { readonly type: 'end-of-file' }
  | { readonly type: 'stalled'; readonly cause: unknown }
  | { readonly type: 'cut'; readonly cause: unknown };

/** One event larger than this is not a token but an attack or a defect. */
const maxEventChars = 16 * 1024 * 1024;
/** A bare line longer than this is no error message. */
const maxBareChars = 64 * 1024;

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). All events of one read
 * are handed over in one call, so that what arrives together can be passed on together. Rejects where the fault is not
 * the connection's: an event past all limits, or a defect of the consumer.
 */
export function createEventReader(
  reply: ExchangeReply,
): (onEvents: (data: readonly string[]) => void) => Promise<StreamEnd> {
  return async (onEvents) => {
    let batch: string[] = [];
    const completeBareLine = createBareLines();
    const parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent({ event, data }) {
        if (event === 'error') batch.push(toErrorBody(data));
        // Without data it only keeps the connection open.
        else if (data !== '') batch.push(data);
      },
      onError(error) {
        if (error.type === 'max-buffer-size-exceeded') throw error;
        // A gateway that fails in the middle may write its JSON error bare, without `data:`.
        if (error.type === 'unknown-field' && error.line?.startsWith('{')) batch.push(error.line);
      },
    });
    // A stateful decoder: a character may be split between two reads.
    const decoder = new TextDecoder();
    const feed = (text: string): void => {
      parser.feed(completeBareLine(text));
      if (batch.length === 0) return;
      const events = batch;
      batch = [];
      onEvents(events);
    };
    try {
      await reply.consume((chunk) => feed(decoder.decode(chunk, { stream: true })));
    } catch (cause) {
      if (isTimeout(cause)) return { type: 'stalled', cause };
      if (isTransportError(cause)) return { type: 'cut', cause };
      throw cause;
    }
    // Some gateways end the body without the blank line that the last event needs.
    feed(`${decoder.decode()}\n\n`);
    return { type: 'end-of-file' };
  };
}

/** An event of this name is an error, whatever its data looks like. */
function toErrorBody(data: string): string {
  const body = tryParseReply(data);
  if (isErrorBody(body)) return data;
  return stringifyJson({ error: isRecord(body) ? body : { message: data || 'The gateway sent an error.' } });
}

/**
 * Holds back the begin of a line of bare JSON until the line is whole: the parser drops the begin of any line that
 * cannot become a field, and with it the error that a failing gateway writes.
 */
function createBareLines(): (text: string) => string {
  let held = '';
  let isLineStart = true;
  return (text) => {
    const all = held + text;
    held = '';
    const start = Math.max(all.lastIndexOf('\n'), all.lastIndexOf('\r')) + 1;
    const isBare = (start > 0 || isLineStart) && all[start] === '{' && all.length - start <= maxBareChars;
    if (isBare) held = all.slice(start);
    const complete = isBare ? all.slice(0, start) : all;
    if (complete !== '') isLineStart = complete.endsWith('\n') || complete.endsWith('\r');
    return complete;
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_BODY_TIMEOUT';
}
