import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { onTestFinished } from 'vitest';

/** A network that loses nothing but time. */
export interface FreezingProxy {
  readonly url: string;
  /** From now on, it accepts connections and delivers nothing, not even the end of a connection. */
  freeze(): void;
  thaw(): void;
  /** Delivers each piece this much later. */
  delay(milliseconds: number): void;
}

/** One direction of a connection. */
interface Pipe {
  readonly from: Socket;
  readonly delayed: Transform;
}

/** Closed when the test ends. */
export async function startFreezingProxy(targetUrl: string): Promise<FreezingProxy> {
  const target = new URL(targetUrl);
  const pipes = new Set<Pipe>();
  let isFrozen = false;
  let delayMs = 0;
  let heldEnds: (() => void)[] = [];
  const deliver = (end: () => void): void => {
    if (isFrozen) heldEnds.push(end);
    else end();
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const delayed = new Transform({
        transform(piece: Buffer, _encoding, callback) {
          if (delayMs === 0) callback(null, piece);
          else setTimeout(callback, delayMs, null, piece);
        },
      });
      const pipe = { from, delayed };
      pipes.add(pipe);
      from.on('error', () => deliver(() => to.destroy()));
      from.once('close', () => {
        pipes.delete(pipe);
        deliver(() => to.destroy());
      });
      delayed.pipe(to);
      if (isFrozen) from.pause();
      else from.pipe(delayed);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endHeld = (): void => {
    for (const end of heldEnds) end();
    heldEnds = [];
  };
  onTestFinished(async () => {
    isFrozen = false;
    endHeld();
    for (const { from } of pipes) from.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(targetUrl);
  url.port = String((server.address() as AddressInfo).port); // A listening TCP server has one.
  return {
    url: url.href,
    freeze() {
      isFrozen = true;
      for (const { from, delayed } of pipes) from.unpipe(delayed).pause();
    },
    thaw() {
      isFrozen = false;
      endHeld();
      for (const { from, delayed } of pipes) from.pipe(delayed);
    },
    delay: (milliseconds) => void (delayMs = milliseconds),
  };
}
