import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { quantile } from '../statistics.ts';
import {
  chatEventsSubscription,
  chatInput,
  chatPrompt,
  chatSubscription,
  monotonicMicros,
  parseTokens,
} from '../workload.ts';

export interface OpenStreams {
  /** Name of the streams, and their model upstream. */
  readonly group: string;
  /** Streams take turns. */
  readonly urls: readonly string[];
  /** `raw`: one line per message, for the floor. */
  readonly protocol: 'graphql' | 'raw';
  readonly count: number;
  /** Chats to follow, one per stream. @default each stream starts one */
  readonly chatIds?: readonly string[] | undefined;
}

/** Counters since the last call. */
export interface Received {
  readonly tokens: number;
  readonly messages: number;
  /** `lost`: skipped or missing tokens. `doubled`: repeated or out of order. */
  readonly lost: number;
  readonly doubled: number;
  /** Time of the last receipt on the shared clock. */
  readonly lastMicros: number;
  readonly latencyMicros: { readonly p50: number; readonly p99: number };
}

interface Group {
  readonly sockets: WebSocket[];
  readonly streams: number;
  open: number;
  ended: number;
  tokens: number;
  messages: number;
  lost: number;
  doubled: number;
  latencies: number[];
  lastMicros: number;
  failure: Error | undefined;
  check: () => void;
}

const waitMs = 20_000;

/** Subscribes to chat streams, each over its own WebSocket, like front ends of different users. */
export function createStreamLoad() {
  const groups = new Map<string, Group>();
  const find = (name: string): Group => {
    const group = groups.get(name);
    if (!group) throw new Error(`unknown streams: ${name}`);
    return group;
  };
  return {
    /** Resolves when every stream has sent its first event, before any token. */
    async openStreams(options: OpenStreams): Promise<void> {
      const group: Group = {
        sockets: [],
        streams: options.count,
        open: 0,
        ended: 0,
        tokens: 0,
        messages: 0,
        lost: 0,
        doubled: 0,
        latencies: [],
        lastMicros: 0,
        failure: undefined,
        check() {},
      };
      groups.set(options.group, group);
      for (let index = 0; index < options.count; index += 1)
        group.sockets.push(follow(options, group, index));
      await until(group, () => group.open === group.streams);
    },
    /** Resolves when this many tokens have arrived, or after a timeout with the counters so far. */
    async awaitTokens({ group: name, tokens }: { group: string; tokens: number }): Promise<Received> {
      const group = find(name);
      await until(group, () => group.tokens >= tokens, { isPatient: true });
      const latencies = group.latencies.toSorted((left, right) => left - right);
      const received = {
        tokens: group.tokens,
        messages: group.messages,
        lost: Math.max(group.lost, tokens - group.tokens),
        doubled: group.doubled,
        lastMicros: group.lastMicros,
        latencyMicros: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
      };
      Object.assign(group, { tokens: 0, messages: 0, lost: 0, doubled: 0, latencies: [] });
      return received;
    },
    /** Resolves when every stream has completed, and closes the sockets. */
    async closeStreams(name: string): Promise<void> {
      const group = find(name);
      await until(group, () => group.ended === group.streams);
      await Promise.all(group.sockets.map(hangUp));
      groups.delete(name);
    },
  };
}

function until(group: Group, isMet: () => boolean, { isPatient = false } = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      group.check = () => {};
      if (error) reject(error);
      else resolve();
    };
    const timer = setTimeout(() => {
      const { open, ended, tokens } = group;
      settle(isPatient ? undefined : new Error(`streams: ${open} open, ${ended} ended, ${tokens} tokens`));
    }, waitMs);
    group.check = () => {
      if (group.failure) settle(group.failure);
      else if (isMet()) settle();
    };
    group.check();
  });
}

function hangUp(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.close(1000);
  });
}

function follow(options: OpenStreams, group: Group, index: number): WebSocket {
  const { group: name, urls, protocol, count, chatIds } = options;
  const url = urls[index % urls.length] ?? '';
  const subprotocol = protocol === 'graphql' ? ['graphql-transport-ws'] : [];
  const socket = new WebSocket(url.replace('http', 'ws'), subprotocol, { perMessageDeflate: false });
  const read = protocol === 'graphql' ? readGraphQL : readRaw;
  let isOpen = false;
  let last = 0;
  socket.once('open', () => socket.send(protocol === 'graphql' ? connectionInit : rawRequest(name)));
  socket.on('message', (data: Buffer) => {
    const news = read(data.toString('utf8'));
    if (news === 'acknowledged') return socket.send(subscribe(name, chatIds?.[index]));
    if (news === 'ended') group.ended += 1;
    else if (!isOpen) {
      isOpen = true;
      group.open += 1;
    } else if (news !== '') {
      group.messages += 1;
      const receivedMicros = monotonicMicros();
      group.lastMicros = receivedMicros;
      for (const { number, sentMicros } of parseTokens(news)) {
        group.tokens += 1;
        group.latencies.push(receivedMicros - sentMicros);
        if (number > last + 1) group.lost += number - last - 1;
        if (number <= last) group.doubled += 1;
        last = Math.max(last, number);
      }
    }
    return group.check();
  });
  socket.on('error', (error) => fail(error));
  socket.on('close', (code, reason) => {
    if (group.ended < count) fail(new Error(`a socket of ${name} closed with ${code} ${String(reason)}`));
  });
  function fail(error: Error): void {
    group.failure ??= error;
    group.check();
  }
  return socket;
}

export const connectionInit = JSON.stringify({
  type: 'connection_init',
  payload: { Authorization: 'Bearer sk-bench' },
});

export function subscribe(model: string, chatId: string | undefined): string {
  const payload =
    chatId === undefined
      ? { query: chatSubscription, variables: { input: chatInput(model) } }
      : { query: chatEventsSubscription, variables: { id: chatId } };
  return JSON.stringify({ id: randomUUID(), type: 'subscribe', payload });
}

export function rawRequest(model: string): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: chatPrompt }], stream: true });
}

/** The text or control message of an event. */
type News = 'acknowledged' | 'ended' | '' | (string & {});

interface RawMessage {
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
}

function readRaw(text: string): News {
  return text === '[DONE]' ? 'ended' : ((JSON.parse(text) as RawMessage).choices?.[0]?.delta.content ?? '');
}

interface GraphQLMessage {
  readonly type: string;
  readonly payload?: {
    readonly errors?: unknown;
    readonly data?: {
      readonly streamChat: {
        readonly __typename: string;
        readonly choices?: readonly { readonly content: string | null }[];
      };
    };
  };
}

function readGraphQL(text: string): News {
  const { type, payload } = JSON.parse(text) as GraphQLMessage;
  if (type === 'connection_ack') return 'acknowledged';
  if (type === 'complete') return 'ended';
  const event = payload?.data?.streamChat;
  if (type === 'ping') return '';
  if (!event || payload?.errors !== undefined || event.__typename === 'ChatFailed') {
    throw new Error(`unexpected message: ${text.slice(0, 500)}`);
  }
  return event.choices?.[0]?.content ?? '';
}
