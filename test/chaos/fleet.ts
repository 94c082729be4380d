import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type ServerProcess, startServerProcess } from '../stream-contract/set-ups/server-process.ts';
import { type DatabaseLink, startDatabaseLink } from './database-link.ts';

/** A time in which a server could not keep its chats: since it ended, or while it was away from the database. */
export interface Trouble {
  readonly kind: 'killed' | 'terminated' | 'paused' | 'cut off';
  readonly from: number;
  to: number;
}

export interface ChaosServer {
  readonly index: number;
  readonly link: DatabaseLink;
  readonly troubles: Trouble[];
  /** Undefined while it is down or starting. */
  process: ServerProcess | undefined;
}

export interface Fleet {
  readonly servers: readonly ChaosServer[];
  /** Where clients connect: each connection reaches one of the servers that listen. */
  readonly origin: string;
  start(server: ChaosServer): Promise<void>;
  /** Resets all connections of clients. */
  cutClients(): void;
}

export interface FleetSettings {
  readonly databaseUrl: string;
  readonly gatewayUrls: readonly string[];
  readonly random: () => number;
  /** More settings of all servers. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts one server per gateway address, with a balancer before them. Ended when the test ends. */
export async function startFleet({ databaseUrl, gatewayUrls, random, env }: FleetSettings): Promise<Fleet> {
  let isOver = false;
  const servers: ChaosServer[] = [];
  for (const index of gatewayUrls.keys())
    servers.push({ index, link: await startDatabaseLink(databaseUrl), troubles: [], process: undefined });
  const start = async (server: ChaosServer): Promise<void> => {
    while (!server.process && !isOver)
      try {
        server.process = await startServerProcess({
          DATABASE_URL: server.link.url,
          GATEWAY_URL: gatewayUrls[server.index] ?? '',
          ANONYMOUS_OPERATIONS_PER_SECOND: '100000',
          SHUTDOWN_SECONDS: '3',
          LOG_LEVEL: 'error',
          ...env,
        });
      } catch {
        // The database was away at the start.
        await wait(200);
      }
    if (isOver) server.process?.kill('SIGKILL');
  };
  onTestFinished(() => {
    isOver = true;
    for (const { process } of servers) process?.kill('SIGKILL');
  });
  await Promise.all(servers.map(start));
  const balancer = await startBalancer(() => {
    const listening = servers.flatMap(({ process }) =>
      process ? [Number(new URL(process.origin).port)] : [],
    );
    return listening[Math.floor(random() * listening.length)];
  });
  return { servers, origin: balancer.origin, start, cutClients: balancer.cut };
}

async function startBalancer(
  choosePort: () => number | undefined,
): Promise<{ readonly origin: string; readonly cut: () => void }> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    open.add(near);
    near.on('error', () => near.destroy()).once('close', () => open.delete(near));
    const port = choosePort();
    if (port === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    far.on('error', () => near.resetAndDestroy()).once('close', () => near.destroy());
    near.once('close', () => far.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  onTestFinished(async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return { origin: `http://127.0.0.1:${port}`, cut };
}
