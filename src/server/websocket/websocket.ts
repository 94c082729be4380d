import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../lib/clock.ts';
import { createInFlight } from '../../lib/in-flight.ts';
import type { SocketCounts } from '../admission/socket-counts.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createRecordWaits } from './record-waits.ts';
import { closeForRestart, createSocketMoves, terminateLater } from './socket-moves.ts';

export interface WebSocketOptions extends Omit<ConnectionOptions, 'moves' | 'recordWaits' | 'messages'> {
  readonly socketCounts: SocketCounts;
  readonly maxMessageBytes: number;
  /** Ping interval. */
  readonly heartbeatMs: number;
}

/** GraphQL over WebSocket. */
export interface WebSocketTransport {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The setting of the limit that another socket of the client would exceed. */
  findExceeded(request: IncomingMessage): string | undefined;
  readonly sockets: number;
  /** Resolves when no operation is open and the last message of each has been sent. */
  waitUntilIdle(): Promise<void>;
  /** Call when the drain begins. Closes the sockets that need this server no longer, now and as their operations end. */
  drain(): void;
  /** Closes every socket with code 1012. Stock clients reconnect after it. */
  close(): Promise<void>;
}

export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { engine, clock, isDraining, socketCounts, addressOf } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    // One message of a socket per iteration of the event loop, so that other sockets take turns with it.
    allowSynchronousEvents: false,
    perMessageDeflate: false,
    handleProtocols,
  });
  const messages = createInFlight();
  const moves = createSocketMoves(options);
  const recordWaits = createRecordWaits({ clock, isReady: () => engine.store.isReady() });
  const connections = new WeakMap<WebSocket, Connection>();
  const connectionOptions: ConnectionOptions = { ...options, messages, moves, recordWaits };
  const stopHeartbeat = startHeartbeat(server, {
    clock,
    intervalMs: options.heartbeatMs,
    writerOf: (socket) => connections.get(socket)?.writer,
  });

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    socket.on('error', (error) => engine.log.debug({ err: error }, 'websocket error'));
    if (isDraining()) {
      closeForRestart(socket);
      return;
    }
    connections.set(socket, new Connection(socket, request, connectionOptions));
    socket.on('close', socketCounts.add(addressOf(request)));
  });

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (upgraded) => server.emit('connection', upgraded, request));
    },
    findExceeded: (request) => socketCounts.findExceeded(addressOf(request)),
    get sockets() {
      return server.clients.size;
    },
    waitUntilIdle: () => messages.waitUntilIdle(),
    drain() {
      for (const socket of server.clients) {
        const connection = connections.get(socket);
        if (connection) moves.closeIfDone(connection);
      }
    },
    async close() {
      stopHeartbeat();
      const closed = Promise.all([...server.clients].map((socket) => closeSocket(socket, engine.clock)));
      server.close();
      await closed;
    },
  };
}

function closeSocket(socket: WebSocket, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    terminateLater(socket, clock);
    closeForRestart(socket);
  });
}
