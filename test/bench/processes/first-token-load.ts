import { once } from 'node:events';
import { WebSocket } from 'ws';
import { quantile } from '../statistics.ts';
import { promptModel } from '../workload.ts';
import { connectionInit, rawRequest, subscribe } from './stream-load.ts';

export interface FirstTokens {
  readonly url: string;
  /** `raw`: one line per message, for the floor. */
  readonly protocol: 'graphql' | 'raw';
  /** Whether each chat has a socket of its own, whose handshake counts. */
  readonly isNewSocket: boolean;
  readonly count: number;
}

/** Median time in milliseconds from the request of a chat to its first token, one chat at a time. */
export async function measureFirstTokens({
  url,
  protocol,
  isNewSocket,
  count,
}: FirstTokens): Promise<number> {
  const times: number[] = [];
  let socket = isNewSocket ? undefined : await open(url, protocol);
  for (let chat = 0; chat < count; chat += 1) {
    const startedAt = performance.now();
    const used = socket ?? (await open(url, protocol));
    times.push((await readChat(used, protocol)) - startedAt);
    if (!isNewSocket) continue;
    used.close(1000);
    socket = undefined;
  }
  socket?.close(1000);
  return quantile(
    times.toSorted((left, right) => left - right),
    0.5,
  );
}

async function open(url: string, protocol: FirstTokens['protocol']): Promise<WebSocket> {
  const subprotocol = protocol === 'graphql' ? ['graphql-transport-ws'] : [];
  const socket = new WebSocket(url.replace('http', 'ws'), subprotocol, { perMessageDeflate: false });
  await once(socket, 'open');
  if (protocol === 'graphql') {
    const acknowledged = once(socket, 'message');
    socket.send(connectionInit);
    await acknowledged;
  }
  return socket;
}

/** Resolves at the end of the chat, with the time of its first token. */
function readChat(socket: WebSocket, protocol: FirstTokens['protocol']): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let firstAt: number | undefined;
  // The first event may be a snapshot that has the token. A token contains the number in its stream and a time.
  const hasToken = protocol === 'graphql' ? /"sequence":[1-9]/ : /1@/;
  const onMessage = (data: Buffer): void => {
    const text = data.toString('utf8');
    if (hasToken.test(text)) firstAt ??= performance.now();
    const isOver = protocol === 'graphql' ? text.includes('"complete"') : text === '[DONE]';
    if (!isOver) return;
    socket.off('message', onMessage);
    if (firstAt === undefined) reject(new Error(`no token before the end: ${text.slice(0, 500)}`));
    else resolve(firstAt);
  };
  socket.on('message', onMessage);
  socket.send(protocol === 'graphql' ? subscribe(promptModel, undefined) : rawRequest(promptModel));
  return promise;
}
