import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** `refused`: connections are reset, new ones too. `frozen`: they stay open and deliver nothing. */
export type LinkState = 'open' | 'refused' | 'frozen';

/** The network between one server and the database. */
export interface DatabaseLink {
  readonly url: string;
  set(state: LinkState): void;
}

/** Closed when the test ends. */
export async function startDatabaseLink(targetUrl: string): Promise<DatabaseLink> {
  const target = new URL(targetUrl);
  const pairs = new Set<readonly [from: Socket, to: Socket]>();
  let state: LinkState = 'open';
  const resetAll = (): void => {
    for (const [from] of pairs) from.resetAndDestroy();
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (state === 'refused') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const pair of [
      [near, far],
      [far, near],
    ] as const) {
      const [from, to] = pair;
      pairs.add(pair);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (state === 'frozen') from.pause();
      else from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    resetAll();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(targetUrl);
  url.port = String((server.address() as AddressInfo).port); // A listening TCP server has one.
  return {
    url: url.href,
    set(next) {
      if (next === 'refused') resetAll();
      if (next === 'frozen') for (const [from, to] of pairs) from.unpipe(to).pause();
      if (next === 'open' && state === 'frozen') for (const [from, to] of pairs) from.pipe(to);
      state = next;
    },
  };
}
