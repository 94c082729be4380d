import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address } from './address.ts';
import { createInbox } from './inbox.ts';
import { joinSockets } from './join-sockets.ts';

/** A piece of what the server sends: the head of its reply, then one WebSocket frame, one line, or bytes of a document. */
export interface Piece {
  /** Of the connection, from 0. */
  readonly connection: number;
  /** `upgrade`: the head that accepts a WebSocket. */
  readonly kind: 'upgrade' | 'head' | 'frame' | 'line' | 'bytes';
  /** Payload of the frame, or the whole text. */
  readonly text: string;
  readonly length: number;
}

/** How many bytes of a piece the client receives before the connection is reset. Undefined delivers all. */
export type Cut = (piece: Piece) => number | undefined;

export interface CuttingProxy extends Address {
  /** Number of connections that were reset. */
  readonly cuts: number;
  /** Resolves when this many connections have been accepted. */
  waitForConnections(count: number): Promise<void>;
  /** Resets all open connections. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback that resets connections at exact bytes of the server's messages. */
export async function startProxy(target: Address, cut: Cut = () => undefined): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const accepted = createInbox<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const connection = accepted.all.length;
    const far = connectTo(target);
    const reset = (): void => {
      cuts += 1;
      near.resetAndDestroy();
      far.destroy();
    };
    joinSockets(near, far, open);
    near.pipe(far);
    const split = createSplitter();
    far.on('data', (bytes: Buffer) => {
      for (const { kind, text, whole } of split(bytes)) {
        if (near.destroyed) return;
        const kept = cut({ connection, kind, text, length: whole.length });
        if (kept === undefined) near.write(whole);
        else if (kept === 0) reset();
        // The client receives the last bytes before the reset.
        else near.write(whole.subarray(0, kept), () => setImmediate(reset));
        if (kept !== undefined) {
          far.pause();
          return;
        }
      }
    });
    accepted.push(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutAll = (): void => {
    for (const socket of open) if (!socket.destroyed) socket.resetAndDestroy();
  };
  const address = server.address();
  const own = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const { host, pathname, search } = new URL(target.url);
  const socketUrl = new URL(target.socketUrl);
  return {
    url: `http://${own}${pathname}${search}`,
    socketUrl: `ws://${own}${socketUrl.pathname}${socketUrl.search}`,
    host: target.host ?? host,
    get cuts() {
      return cuts;
    },
    async waitForConnections(count) {
      await accepted.when(({ length }) => length >= count);
    },
    cutAll,
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function connectTo({ url }: Address): Socket {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'https:'
    ? connectTls({ host, port: Number(port || 443), servername: host, ALPNProtocols: ['http/1.1'] })
    : connect(Number(port || 80), host);
}

interface WholePiece {
  readonly kind: Piece['kind'];
  readonly text: string;
  readonly whole: Buffer;
}

/** Divides the bytes of one connection into pieces. Bytes of an incomplete piece wait for the rest. */
export function createSplitter(): (bytes: Buffer) => readonly WholePiece[] {
  let rest: Buffer = Buffer.alloc(0);
  let next: 'head' | 'frame' | 'line' | 'bytes' = 'head';
  const sizeOf = { head: headSize, frame: frameSize, line: lineSize, bytes: wholeSize };
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const pieces: WholePiece[] = [];
    for (;;) {
      const size = sizeOf[next](rest);
      if (!size || rest.length < size.total) return pieces;
      const whole = rest.subarray(0, size.total);
      rest = rest.subarray(size.total);
      const text = whole.toString('utf8', size.head);
      const isUpgrade = next === 'head' && text.startsWith('HTTP/1.1 101 ');
      pieces.push({ kind: isUpgrade ? 'upgrade' : next, text, whole });
      // A document may end without a line end.
      if (next === 'head') next = isUpgrade ? 'frame' : /\ncontent-length:/i.test(text) ? 'bytes' : 'line';
    }
  };
}

interface Size {
  readonly head: number;
  readonly total: number;
}

function headSize(bytes: Buffer): Size | undefined {
  return sizeBefore(bytes, '\r\n\r\n');
}

function lineSize(bytes: Buffer): Size | undefined {
  return sizeBefore(bytes, '\n');
}

function wholeSize({ length }: Buffer): Size | undefined {
  return length === 0 ? undefined : { head: 0, total: length };
}

function sizeBefore(bytes: Buffer, mark: string): Size | undefined {
  const end = bytes.indexOf(mark);
  return end === -1 ? undefined : { head: 0, total: end + mark.length };
}

/** Of an unmasked frame, as servers send them (RFC 6455, section 5.2). */
function frameSize(bytes: Buffer): Size | undefined {
  const short = (bytes[1] ?? 0) & 0x7f;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head) return undefined;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  return { head, total: head + length };
}
