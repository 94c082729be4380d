import type { HttpReply } from './http-client.ts';

/** Blank lines that a proxy may send before a body to keep the connection open. */
const maxBlankChars = 64 * 1024;
const byteOrderMark = '\u00ef\u00bb\u00bf';
const fieldNames = ['data:', 'event:', 'id:', 'retry:', ':'];

/** Recognizes an event stream under another content type by its first characters. Leaves the body unread. */
export async function looksLikeEvents(reply: HttpReply): Promise<boolean> {
  const head = await reply.peek((first) => isEventStart(first) !== undefined);
  return isEventStart(head) ?? false;
}

/** Undefined while more characters are needed. */
function isEventStart(head: Buffer): boolean | undefined {
  const text = head.toString('latin1', 0, maxBlankChars);
  if (byteOrderMark.startsWith(text)) return undefined;
  const line = text.replace(byteOrderMark, '').replace(/^[\r\n]+/, '');
  if (fieldNames.some((name) => line.startsWith(name))) return true;
  const mayBeField = head.length < maxBlankChars && fieldNames.some((name) => name.startsWith(line));
  return mayBeField ? undefined : false;
}
