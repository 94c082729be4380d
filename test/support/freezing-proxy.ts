import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A network that loses nothing but time: while it is frozen, it accepts connections and delivers no byte. */
export interface FreezingProxy {
  readonly url: string;
  freeze(): void;
  thaw(): void;
}

/** Closed when the test ends. */
export async function startFreezingProxy(targetUrl: string): Promise<FreezingProxy> {
  const target = new URL(targetUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const pair = [from, to] as const;
      pairs.add(pair);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (isFrozen) from.pause();
      else from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const [from] of pairs) from.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(targetUrl);
  url.port = String((server.address() as AddressInfo).port); // A listening TCP server has one.
  return {
    url: url.href,
    freeze() {
      isFrozen = true;
      for (const [from, to] of pairs) from.unpipe(to).pause();
    },
    thaw() {
      isFrozen = false;
      for (const [from, to] of pairs) from.pipe(to);
    },
  };
}
