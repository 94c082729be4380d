import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createInbox, type Inbox } from './inbox.ts';

export interface RawMessage {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** A graphql-transport-ws client that sends exactly the given messages, valid or not. */
export interface RawSocket {
  /** Everything received, in order. */
  readonly inbox: Inbox<RawMessage>;
  /** The text of everything received, in order. */
  readonly texts: readonly string[];
  /** The server's WebSocket ping frames. */
  readonly pings: Inbox<Buffer>;
  /** Sends objects as JSON, text and bytes as is. */
  send(message: object | string | Buffer): void;
  /** Sends `connection_init`. Resolves when it is acknowledged. */
  init(connectionParams?: unknown): Promise<void>;
  subscribe(id: string, payload: Readonly<Record<string, unknown>> | string): void;
  /** Resolves with all messages of an operation when it has completed. */
  waitForEnd(id: string): Promise<readonly RawMessage[]>;
  /** Resolves with the first message of an operation. */
  waitForMessage(id: string): Promise<RawMessage>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Disconnects without a close frame. */
  terminate(): void;
  /** Stops reading, like a stalled client. */
  pause(): void;
  resume(): void;
  /** Closes with a close frame. */
  close(): void;
}

export interface RawSocketOptions {
  /** @default 'graphql-transport-ws' */
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Whether the client answers pings. @default true */
  readonly autoPong?: boolean;
}

/** Opens a socket. Terminated when the test ends. @throws when the server refuses it */
export async function openRawSocket(
  url: string,
  { protocols = ['graphql-transport-ws'], headers = {}, autoPong = true }: RawSocketOptions = {},
): Promise<RawSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], { headers, autoPong });
  const pings = createInbox<Buffer>();
  socket.on('ping', pings.push);
  onTestFinished(() => socket.terminate());
  const inbox = createInbox<RawMessage>();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<{
    code: number;
    reason: string;
  }>();
  const texts: string[] = [];
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    texts.push(text);
    inbox.push(JSON.parse(text) as RawMessage);
  });
  socket.on('close', (code, reason) => resolveClosed({ code, reason: reason.toString('utf8') }));
  const opened = Promise.withResolvers<void>();
  socket.once('open', opened.resolve);
  socket.on('error', opened.reject);
  await opened.promise;

  const send = (message: object | string | Buffer): void =>
    socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  const messagesOf = (id: string): readonly RawMessage[] => inbox.all.filter((message) => message.id === id);
  return {
    inbox,
    texts,
    pings,
    send,
    closed,
    terminate: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.close(1000, 'done'),
    async init(connectionParams = { authorization: 'Bearer sk-sandbox' }) {
      send({ type: 'connection_init', ...(connectionParams !== null && { payload: connectionParams }) });
      await inbox.when((all) => all.some(({ type }) => type === 'connection_ack'));
    },
    subscribe(id, payload) {
      send({ type: 'subscribe', id, payload: typeof payload === 'string' ? { query: payload } : payload });
    },
    async waitForMessage(id) {
      await inbox.when(() => messagesOf(id).length > 0);
      return messagesOf(id)[0] as RawMessage; // Present after the wait.
    },
    async waitForEnd(id) {
      await inbox.when(() => messagesOf(id).some(({ type }) => type === 'complete' || type === 'error'));
      return messagesOf(id);
    },
  };
}
