import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createInbox } from '../../support/inbox.ts';
import type { Address } from './client.ts';
import { joinSockets } from './join-sockets.ts';

/** A piece of what the server sends: the reply to the upgrade, or one WebSocket frame. */
export interface Piece {
  /** Of the connection, from 0. */
  readonly connection: number;
  readonly kind: 'upgrade' | 'frame';
  /** Payload of the frame, or head of the reply. */
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
}

/** Starts a proxy that resets WebSocket connections at exact bytes of the server's messages. Closed when the test ends. */
export async function startCuttingProxy(target: Address, cut: Cut = () => undefined): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target.socketUrl);
  const open = new Set<Socket>();
  const accepted = createInbox<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const connection = accepted.all.length;
    const far = connect(Number(port), hostname);
    const reset = (): void => {
      cuts += 1;
      near.resetAndDestroy();
      far.resetAndDestroy();
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
    for (const socket of open) socket.resetAndDestroy();
  };
  onTestFinished(async () => {
    cutAll();
    await new Promise((resolve) => server.close(resolve));
  });
  const own = `127.0.0.1:${(server.address() as AddressInfo).port}`; // TCP's is of this form.
  return {
    url: target.url.replace(new URL(target.url).host, own),
    socketUrl: target.socketUrl.replace(new URL(target.socketUrl).host, own),
    get cuts() {
      return cuts;
    },
    async waitForConnections(count) {
      await accepted.when(({ length }) => length >= count);
    },
    cutAll,
  };
}

interface WholePiece {
  readonly kind: Piece['kind'];
  readonly text: string;
  readonly whole: Buffer;
}

/** Divides the bytes of one connection into pieces. Bytes of an incomplete piece wait for the rest. */
function createSplitter(): (bytes: Buffer) => readonly WholePiece[] {
  let rest: Buffer = Buffer.alloc(0);
  let isUpgraded = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const pieces: WholePiece[] = [];
    for (;;) {
      const size = isUpgraded ? frameSize(rest) : headSize(rest);
      if (!size || rest.length < size.total) return pieces;
      const whole = rest.subarray(0, size.total);
      pieces.push({ kind: isUpgraded ? 'frame' : 'upgrade', text: whole.toString('utf8', size.head), whole });
      rest = rest.subarray(size.total);
      isUpgraded = true;
    }
  };
}

interface Size {
  readonly head: number;
  readonly total: number;
}

function headSize(bytes: Buffer): Size | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  return end === -1 ? undefined : { head: 0, total: end + 4 };
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
