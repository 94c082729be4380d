import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/clock.ts';

/** Closes a WebSocket with code 1012, "service restart". graphql-ws clients reconnect after it, and repeat their open operations. */
export function closeForRestart(socket: Pick<WebSocket, 'close'>): void {
  socket.close(1012, 'Service restart');
}

/** Time for the close frame to reach the client. */
const closingMs = 1000;

/** Ends a WebSocket that is being closed if its client does not answer. */
export function terminateLater(socket: WebSocket, clock: Clock): void {
  socket.once(
    'close',
    clock.after(closingMs, () => socket.terminate()),
  );
}
