import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../../src/lib/listen.ts';

export interface Served {
  readonly url: string;
  readonly port: number;
  /** Ends the open requests too. May be called more than once. */
  close(): Promise<void>;
}

/** Serves on a free port of loopback. Closed when the test ends. */
export async function serve(server: Server): Promise<Served> {
  const url = await listen(server, 0, '127.0.0.1');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url, port: Number(new URL(url).port), close };
}
