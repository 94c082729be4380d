import type { Socket } from 'node:net';

/** Limit for the head of an informational reply. */
const maxHeadBytes = 16 * 1024;
const continueReply = /^HTTP\/1\.[01] 100[ \r]/;

const empty = Buffer.alloc(0);

/**
 * Drops every `100 Continue` before a reply. A client must accept it even if it did not ask for it (RFC 9110, section
 * 15.2), but undici closes the connection, and the outcome of a create would be unknown. It has no option for this, and its
 * interceptors see only what its parser accepts.
 */
export function skipContinue(socket: Socket): void {
  let held: Buffer = empty;
  // Only between a request and its reply: text within a body stays as it is.
  let isAwaitingReply = false;
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  const toRest = (data: Buffer): Buffer => {
    let passed = empty;
    let rest = data;
    while (mayBeInformational(rest)) {
      const end = rest.indexOf('\r\n\r\n');
      if (end === -1 && rest.length < maxHeadBytes) {
        held = rest;
        return passed;
      }
      if (end === -1) break;
      const head = rest.subarray(0, end + 4);
      if (!continueReply.test(head.toString('latin1', 0, 16))) passed = Buffer.concat([passed, head]);
      rest = rest.subarray(end + 4);
    }
    isAwaitingReply = rest.length === 0;
    return Buffer.concat([passed, rest]);
  };
  socket.write = (data: unknown, encoding?: unknown, callback?: unknown) => {
    isAwaitingReply = true;
    return Boolean(Reflect.apply(write, undefined, [data, encoding, callback]));
  };
  socket.read = (size?: number) => {
    for (;;) {
      const data: Buffer | null = read(size);
      if (data === null || !isAwaitingReply) return data;
      if (held.length === 0 && isFinalReply(data)) {
        isAwaitingReply = false;
        return data;
      }
      const all = held.length === 0 ? data : Buffer.concat([held, data]);
      held = empty;
      const rest = toRest(all);
      if (rest.length > 0) return rest;
    }
  };
}

/** Index of the first digit of the status in `HTTP/1.1 200`. */
const statusIndex = 9;

/** Whether a reply that is not informational starts here, as nearly every reply does. Copies nothing. */
function isFinalReply(data: Buffer): boolean {
  return data.length > statusIndex && data[statusIndex] !== 0x31;
}

/** Whether the data starts, or may continue to start, with an informational reply. */
function mayBeInformational(data: Buffer): boolean {
  const start = data.toString('latin1', 0, 10);
  return start !== '' && ['HTTP/1.0 1', 'HTTP/1.1 1'].some((line) => line.startsWith(start));
}
