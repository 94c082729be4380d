import { addText } from '../lib/add-piece.ts';
import { tryParseReply } from './parse-reply.ts';

/** Finds a JSON document in place of an event stream. */
export interface DocumentStart {
  /** Whether the first line was a complete JSON document. */
  readonly isLine: boolean;
  /** Whether the rest of the body is an event stream. */
  readonly isStream: boolean;
  /** Takes the next part of the body. Returns the first line if it is JSON, and the part that belongs to the stream. */
  add(text: string): { readonly line?: string; readonly rest: string };
  /** The buffered part, at the end of the body. */
  end(): string;
}

/** Limit for a document. */
const maxChars = 64 * 1024 * 1024;

/**
 * Buffers a body that starts with `{` until its first line is complete. If the line is JSON, the body continues as a stream
 * after it: a failing gateway may keep the connection open. If not, the document has several lines and ends with the body.
 */
export function createDocumentStart(): DocumentStart {
  const held: string[] = [];
  let size = 0;
  let state: 'blank' | 'first-line' | 'document' | 'events' = 'blank';
  let isLine = false;
  return {
    get isLine() {
      return isLine;
    },
    get isStream() {
      return state === 'events';
    },
    add(text) {
      const start = state === 'blank' ? text.search(/[^\s\ufeff]/) : 0;
      if (state === 'events' || start === -1) return { rest: text };
      if (state === 'blank') state = text[start] === '{' ? 'first-line' : 'events';
      if (state === 'events') return { rest: text };
      addText(held, text.slice(start));
      size += text.length;
      if (size > maxChars) throw new RangeError('the document is too large');
      if (state === 'document' || !/[\r\n]/.test(text.slice(start))) return { rest: '' };
      const all = held.join('');
      const lineEnd = all.search(/[\r\n]/);
      const line = all.slice(0, lineEnd);
      isLine = tryParseReply(line) !== undefined;
      state = isLine ? 'events' : 'document';
      if (!isLine) return { rest: '' };
      held.length = 0;
      return { line, rest: all.slice(lineEnd) };
    },
    end: () => held.join(''),
  };
}
