import { tryParseReply } from './parse-reply.ts';

const field = 'data:';

/**
 * Inserts the blank lines that some gateways omit between events. A `data:` line with a whole JSON object is an event of its
 * own if another `data:` line follows. Once a gateway has omitted a blank line, each of these lines ends its event. So does
 * `[DONE]` always. JSON over several lines stays one event.
 */
export function createEventSeparator(): (text: string) => string {
  /** The beginning of a line that may become a `data:` line. */
  let held = '';
  let line = '';
  /** The data of the event so far, if it is one line. */
  let only: string | undefined;
  let hasSeveral = false;
  let omitsBlankLines = false;

  const endEvent = (): void => {
    only = undefined;
    hasSeveral = false;
  };
  /** Returns the blank line that is missing before a `data:` line. */
  const beginData = (): string => {
    if (only === undefined) return '';
    if (!isWhole(only)) {
      hasSeveral = true;
      only = undefined;
      return '';
    }
    omitsBlankLines = true;
    endEvent();
    return '\n';
  };
  /** Returns the blank line that is missing after a line. */
  const endLine = (): string => {
    const content = line.trim();
    line = '';
    if (content === '') endEvent();
    if (!content.startsWith(field) || hasSeveral) return '';
    only = content.slice(field.length).trim();
    if (only !== '[DONE]' && !(omitsBlankLines && isWhole(only))) return '';
    endEvent();
    return '\n';
  };

  return (added) => {
    const text = held + added;
    held = '';
    let separated = '';
    for (let start = 0; start < text.length;) {
      if (line === '' && only !== undefined) {
        const beginning = text.slice(start, start + field.length);
        if (beginning === field) separated += beginData();
        else if (field.startsWith(beginning)) {
          held = beginning;
          return separated;
        }
      }
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline + 1;
      const part = text.slice(start, end);
      line += part;
      separated += newline === -1 ? part : part + endLine();
      start = end;
    }
    return separated;
  };
}

function isWhole(data: string): boolean {
  return data.startsWith('{') && data.endsWith('}') && tryParseReply(data) !== undefined;
}
