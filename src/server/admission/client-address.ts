import type { IncomingMessage } from 'node:http';

/** The network address by which the limits of a client count. */
export function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}
