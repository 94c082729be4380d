import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createInbox } from './inbox.ts';

export interface TcpProxy {
  /** The target's URL with this proxy's port. */
  readonly url: string;
  /** Number of connections accepted so far. */
  readonly connections: number;
  /** Resets all open connections. New ones are accepted. */
  cut(): void;
  /** Resets all open connections, and new ones at once until `accept`. */
  refuse(): void;
  accept(): void;
  /** Resets one of the client's connections, at this place of those that are open. Returns false if none is open. */
  cutOne(place: number): boolean;
  /** Delivers the requests that were held. Resolves when they have replies. */
  deliverHeld(): Promise<void>;
  /** Resolves when this many connections have been accepted. */
  waitForConnections(count: number): Promise<void>;
}

export interface TcpProxyOptions {
  /** Called with each piece of a reply. If it returns true, the connection is reset and the client never gets the piece. */
  readonly shouldCut?: (reply: string) => boolean;
  /** Called with each piece of a request. If it returns true, it waits for `deliverHeld`, also when its client has left. */
  readonly shouldHold?: (request: string) => boolean;
}

/** Starts a proxy between a client and servers, each in turn, whose connections the test can break. Closed when the test ends. */
export async function startTcpProxy(
  targetUrl: string | readonly string[],
  { shouldCut = () => false, shouldHold = () => false }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  const targets = [targetUrl].flat().map((url) => new URL(url));
  const [firstTarget = ''] = targets;
  const open = new Set<Socket>();
  const made = createInbox<Socket>();
  const held: (() => Promise<void>)[] = [];
  let isRefusing = false;
  const server = createServer((near) => {
    if (isRefusing) {
      near.resetAndDestroy();
      return;
    }
    const target = targets[made.all.length % targets.length] ?? { hostname: '', port: 0 };
    const far = connect(Number(target.port), target.hostname);
    far.on('data', (piece: Buffer) => {
      if (shouldCut(piece.toString('latin1'))) near.resetAndDestroy();
    });
    let isHeld = false;
    const requests = new Transform({
      transform(piece: Buffer, _encoding, callback) {
        if (!shouldHold(piece.toString('latin1'))) {
          callback(null, piece);
          return;
        }
        isHeld = true;
        held.push(async () => {
          callback(null, piece);
          // The client may have left.
          await once(far.resume(), 'data');
        });
      },
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        open.delete(from);
        if (from === far || !isHeld) to.destroy();
      });
    }
    near.pipe(requests).pipe(far).pipe(near);
    made.push(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  onTestFinished(async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(firstTarget);
  url.port = String((server.address() as AddressInfo).port); // A listening TCP server has one.
  return {
    url: url.href,
    get connections() {
      return made.all.length;
    },
    cut,
    refuse() {
      isRefusing = true;
      cut();
    },
    accept: () => void (isRefusing = false),
    cutOne(place) {
      const all = made.all.filter((socket) => open.has(socket));
      const socket = all[Math.floor(place * all.length)];
      socket?.resetAndDestroy();
      return socket !== undefined;
    },
    async deliverHeld() {
      await Promise.all(held.splice(0).map((deliver) => deliver()));
    },
    async waitForConnections(count) {
      await made.when(({ length }) => length >= count);
    },
  };
}
