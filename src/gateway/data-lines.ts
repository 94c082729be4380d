import { append } from '../lib/append.ts';

const field = 'data: ';

/**
 * The data of events that have one `data: ` line each, as gateways send nearly all tokens. Undefined if the text is anything
 * else: the parser of server-sent events reads it. The text must begin where an event begins.
 */
export function readDataLines(text: string): readonly string[] | undefined {
  if (!text.startsWith(field) || !text.endsWith('\n\n') || text.includes('\r')) return undefined;
  let events: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    if (!text.startsWith(field, start) || text[end + 1] !== '\n') return undefined;
    events = append(events, text.slice(start + field.length, end));
    start = end + 2;
  }
  return events;
}
