import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

const headEnd = '\r\n\r\n';
const statusLine = 'HTTP/1.1 1xx ';
/** Not `101`: the connection changes its protocol, which no request asks for. */
const informational = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;

const empty = Buffer.alloc(0);

/** Connects for HTTP/1.1. The replies of its sockets have no informational replies before them. */
export function connectH1(options: buildConnector.BuildOptions = {}): buildConnector.connector {
  const connect = buildConnector({ timeout: 10_000, ...options, allowH2: false });
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket) skipInformational(socket);
      callback(...result);
    });
}

/**
 * Drops every informational reply before a reply. A client must accept them even if it did not ask for them (RFC 9110, section
 * 15.2), but undici closes the connection after `100 Continue`, so that the outcome of a create would be unknown, and begins
 * its timeout again after the others. It has no option for this, and its interceptors see only what its parser accepts.
 */
function skipInformational(socket: Socket): void {
  /** The beginning of a status line, or the last bytes of the head that is dropped. */
  let held: Buffer = empty;
  let isInHead = false;
  // Only between a request and its reply: text within a body stays as it is.
  let isAwaitingReply = false;
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  /** Copies: a few bytes must not keep the memory of all that arrived with them. */
  const hold = (data: Buffer, start: number): Buffer => {
    held = Buffer.from(data.subarray(start));
    return empty;
  };
  const toRest = (data: Buffer): Buffer => {
    for (let start = 0; ;) {
      if (!isInHead) {
        const line = data.toString('latin1', start, start + statusLine.length);
        if (mayBecomeInformational(line)) return hold(data, start);
        isInHead = informational.test(line);
        isAwaitingReply = isInHead;
        if (!isInHead) return data.subarray(start);
      }
      const end = data.indexOf(headEnd, start);
      if (end === -1) return hold(data, Math.max(start, data.length - headEnd.length + 1));
      isInHead = false;
      start = end + headEnd.length;
    }
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

/** Index of the first digit of the status. */
const statusIndex = statusLine.indexOf('1xx');

/** Whether a reply that is not informational starts here, as nearly every reply does. Copies nothing. */
function isFinalReply(data: Buffer): boolean {
  return data.length > statusIndex && data[statusIndex] !== 0x31;
}

/** Whether more bytes decide. */
function mayBecomeInformational(line: string): boolean {
  const start = line.slice(0, statusIndex + 1);
  return (
    line.length < statusLine.length && ['HTTP/1.0 1', 'HTTP/1.1 1'].some((text) => text.startsWith(start))
  );
}
