import type { IncomingMessage } from 'node:http';

/** The network address that limits per client count by. */
export function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}
