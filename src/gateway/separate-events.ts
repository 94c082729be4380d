import { tryParseReply } from './parse-reply.ts';

const field = 'data:';
/** More than a line with the end marker. */
const maxMarkerChars = 20;

/**
 * Inserts the blank lines that some gateways omit between events. A `data:` line with a whole JSON object is an event of its
 * own if another `data:` line follows. Once a gateway has omitted a blank line, each of these lines ends its event. So does
 * `[DONE]` always. JSON over several lines stays one event.
 */
export function createEventSeparator(): (text: string) => string {
  /** The beginning of a line that may become a `data:` line. */
  let held = '';
  let line = '';
  /** The `data:` line of the event so far, if there is one. */
  let only: string | undefined;
  let hasSeveral = false;
  let omitsBlankLines = false;

  const endEvent = (): void => {
    only = undefined;
    hasSeveral = false;
  };
  /** Whether a blank line is missing before a `data:` line. */
  const isMissingBefore = (): boolean => {
    const isMissing = only !== undefined && isWhole(only);
    omitsBlankLines ||= isMissing;
    endEvent();
    hasSeveral = !isMissing;
    return isMissing;
  };
  /** Whether a blank line is missing after a line. */
  const isMissingAfter = (ended: string): boolean => {
    if (ended === '\n' || ended === '\r\n') endEvent();
    if (hasSeveral || !ended.startsWith(field)) return false;
    const isMarker = ended.length < maxMarkerChars && ended.slice(field.length).trim() === '[DONE]';
    const isMissing = isMarker || (omitsBlankLines && isWhole(ended));
    only = isMissing ? undefined : ended;
    return isMissing;
  };

  return (added) => {
    const text = held === '' ? added : held + added;
    held = '';
    let separated = '';
    let taken = 0;
    const takeThrough = (end: number): void => {
      separated += text.slice(taken, end);
      taken = end;
    };
    for (let start = 0; start < text.length;) {
      if (line === '' && only !== undefined && text[start] === 'd') {
        const beginning = text.slice(start, start + field.length);
        if (beginning === field && isMissingBefore()) {
          takeThrough(start);
          separated += '\n';
        } else if (beginning !== field && field.startsWith(beginning)) {
          held = beginning;
          takeThrough(start);
          return separated;
        }
      }
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline + 1;
      line = line === '' ? text.slice(start, end) : line + text.slice(start, end);
      if (newline !== -1) {
        if (isMissingAfter(line)) {
          takeThrough(end);
          separated += '\n';
        }
        line = '';
      }
      start = end;
    }
    return separated === '' ? text : separated + text.slice(taken);
  };
}

function isWhole(line: string): boolean {
  const data = line.slice(field.length).trim();
  return data.startsWith('{') && data.endsWith('}') && tryParseReply(data) !== undefined;
}
