import { MessageType, parseMessage } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Address } from './address.ts';
import type { Headers } from './http.ts';

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
    const message = parseMessage(bytes.toString());
    if (message.type === MessageType.ConnectionAck)
      socket.send(JSON.stringify({ type: 'subscribe', ...operation }));
    else if (message.type === MessageType.Next) {
      const [event] = Object.values(message.payload.data ?? {});
      resolve(
        typeof event === 'object' && event && 'generationId' in event ? String(event.generationId) : '',
      );
      socket.terminate();
    } else if (message.type === MessageType.Error) end(new Error(JSON.stringify(message.payload)));
  });
  return promise;
}
