import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port below those that systems give to connections and to servers on port 0. So none of them takes it before the server
 * that it is for, or while that one restarts.
 */
export async function findPort(): Promise<number> {
  let port: number;
  do port = randomInt(20_000, 32_000);
  while (!(await isFree(port)));
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
