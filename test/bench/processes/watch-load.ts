import { WebSocket } from 'ws';
import { serveCalls } from '../child-process.ts';
import { graphIdOf, taskSubscription, upstreamIdOf } from '../task-workload.ts';

export interface OpenWatchers {
  readonly url: string;
  /** `raw`: one request and one reply, then silence. */
  readonly protocol: 'graphql' | 'raw';
  readonly sockets: number;
  readonly subscriptionsPerSocket: number;
  readonly credential: string;
  /** Kind of ids that the server accepts. */
  readonly ids: 'upstream' | 'gengraph';
}

/** Counters since the start. */
export interface Watched {
  readonly events: number;
  readonly pings: number;
}

/** Tasks that all subscribe to. */
const watchedTasks = 5;
/** Number of sockets that open concurrently. */
const opening = 100;

let events = 0;
let pings = 0;
let failure: Error | undefined;

/** Resolves when every subscription has received its first event. Keeps them open. */
async function openWatchers(options: OpenWatchers): Promise<void> {
  let left = options.sockets;
  const openInTurn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await open(options);
    }
  };
  await Promise.all(Array.from({ length: opening }, openInTurn));
}

function open({ url, protocol, subscriptionsPerSocket, credential, ids }: OpenWatchers): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const isRaw = protocol === 'raw';
  const socket = new WebSocket(url.replace('http', 'ws'), isRaw ? [] : ['graphql-transport-ws'], {
    perMessageDeflate: false,
  });
  const fail = (error: Error): void => {
    failure ??= error;
    reject(error);
  };
  const init = { type: 'connection_init', payload: { Authorization: credential } };
  let watched = 0;
  socket.once('open', () => socket.send(JSON.stringify(isRaw ? {} : init)));
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    const { type = 'next', payload } = JSON.parse(text) as Message;
    if (type === 'connection_ack') {
      for (let number = 0; number < subscriptionsPerSocket; number += 1) socket.send(subscribe(number, ids));
    } else if (type === 'next' && (isRaw || payload?.data?.taskProgress?.status === 'RUNNING')) {
      events += 1;
      watched += 1;
      if (watched === (isRaw ? 1 : subscriptionsPerSocket)) resolve();
    } else fail(new Error(`unexpected message: ${text.slice(0, 500)}`));
  });
  socket.on('ping', () => {
    pings += 1;
  });
  socket.on('error', fail);
  socket.on('close', (code, reason) => fail(new Error(`a socket closed with ${code} ${String(reason)}`)));
  return promise;
}

interface Message {
  readonly type?: string;
  readonly payload?: { readonly data?: { readonly taskProgress?: { readonly status: string } } };
}

let lastWatched = 0;

function subscribe(number: number, ids: OpenWatchers['ids']): string {
  lastWatched = (lastWatched + 1) % watchedTasks;
  const upstreamId = upstreamIdOf(0, lastWatched);
  const variables = { id: ids === 'gengraph' ? graphIdOf(upstreamId) : upstreamId };
  return JSON.stringify({
    id: String(number),
    type: 'subscribe',
    payload: { query: taskSubscription, variables },
  });
}

const calls = {
  openWatchers,
  /** @throws Error if a socket has closed or received an unexpected message */
  watched(): Watched {
    if (failure) throw failure;
    return { events, pings };
  },
};
export type WatchLoadCalls = typeof calls;
serveCalls(calls);
