import { WebSocket } from 'ws';
import type { Address } from './address.ts';
import type { Headers } from './http.ts';

interface Message {
  readonly type: string;
  readonly payload?: { readonly data?: Readonly<Record<string, { readonly generationId: string }>> };
}

/**
 * Opens an operation with this id on a connection of its own, as a client that has lost the one before. Resolves with the
 * generation of its first event.
 */
export function connectWithId(
  { socketUrl, host, headers }: Address & { readonly headers: Headers },
  operation: { readonly id: string; readonly payload: object },
): Promise<string> {
  const socket = new WebSocket(socketUrl, 'graphql-transport-ws', {
    headers: host === undefined ? {} : { host },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const end = (error: Error): void => {
    socket.terminate();
    reject(error);
  };
  socket.on('error', end);
  socket.on('close', (code) => end(new Error(`the socket closed with ${code}`)));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: headers })));
  socket.on('message', (bytes: Buffer) => {
    const { type, payload } = JSON.parse(bytes.toString()) as Message; // Of the protocol.
    if (type === 'connection_ack') socket.send(JSON.stringify({ type: 'subscribe', ...operation }));
    else if (type === 'next') {
      const [event] = Object.values(payload?.data ?? {});
      resolve(event?.generationId ?? '');
      socket.terminate();
    } else if (type === 'error') end(new Error(JSON.stringify(payload)));
  });
  return promise;
}
