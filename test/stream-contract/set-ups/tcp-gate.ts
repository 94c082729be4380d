import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Outage } from '../set-up.ts';
import { joinSockets } from '../../../src/contract/clients/join-sockets.ts';

export interface TcpGate {
  readonly port: number;
  /** While it is closed, all connections are reset. */
  readonly outage: Outage;
  close(): Promise<void>;
}

/** Forwards each connection to the next of these ports. Tests use it as a load balancer, and to take a server away. */
export async function startTcpGate(ports: readonly number[]): Promise<TcpGate> {
  const open = new Set<Socket>();
  let isOpen = true;
  let accepted = 0;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    const port = ports[accepted % ports.length];
    accepted += 1;
    if (!isOpen || port === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    joinSockets(near, far, open);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const resetAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // TCP's is of this form.
    outage: {
      async begin() {
        isOpen = false;
        resetAll();
      },
      async end() {
        isOpen = true;
      },
    },
    async close() {
      resetAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
