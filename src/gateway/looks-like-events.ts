import type { HttpReply } from './http-client.ts';

/** Blank lines that a proxy may send before a body to keep the connection open. */
const maxBlankChars = 64 * 1024;
const byteOrderMark = '\u00ef\u00bb\u00bf';
const fieldNames = ['data:', 'event:', 'id:', 'retry:', ':'];

/** Recognizes an event stream under another content type by its first characters. Leaves the body unread. */
export async function looksLikeEvents(reply: HttpReply): Promise<boolean> {
  let size = 0;
  /** Without a byte order mark and blank lines. Short, so that a body in tiny parts is not read again for each. */
  let head = '';
  let isEvents: boolean | undefined;
  await reply.peek((part) => {
    size += part.length;
    head += part.toString('latin1', 0, maxBlankChars);
    head = head.replace(byteOrderMark, '').replace(/^[\r\n]+/, '');
    isEvents ??= isEventStart(head, size);
    return isEvents !== undefined;
  });
  return isEvents ?? false;
}

/** Undefined while more characters are needed. */
function isEventStart(head: string, size: number): boolean | undefined {
  if (fieldNames.some((name) => head.startsWith(name))) return true;
  const starts = [byteOrderMark, ...fieldNames];
  return size < maxBlankChars && starts.some((start) => start.startsWith(head)) ? undefined : false;
}
