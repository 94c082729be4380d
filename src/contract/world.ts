import { randomUUID } from 'node:crypto';
import { NotApplicable } from './not-applicable.ts';
import type { Address } from './clients/address.ts';
import { type Cut, type CuttingProxy, startProxy } from './clients/cutting-proxy.ts';
import { type HttpTransport, openHttp } from './clients/event-stream.ts';
import { type Held, isEnd } from './clients/events.ts';
import { type Headers, type Result, run } from './clients/http.ts';
import { type OperationField, subscriptions } from './clients/operations.ts';
import { connectSocket, openOnSocket } from './clients/socket.ts';
import { readWatch, type Watch } from './clients/watch.ts';

export type Transport = 'WebSocket' | HttpTransport;
export const transports: readonly Transport[] = ['WebSocket', 'server-sent events', 'multipart'];

export interface Target extends Address {
  readonly headers: Headers;
  /** Another caller. Undefined: the same credential with another `X-End-User`. */
  readonly otherHeaders?: Headers | undefined;
  /** Whether a router hides the operation ids of its clients. */
  readonly isBehindRouter: boolean;
  readonly model: string;
  readonly maxTokens: number;
}

export interface WatchOptions {
  readonly transport: Transport;
  readonly variables: Readonly<Record<string, unknown>>;
  /** @default the caller's */
  readonly headers?: Headers | undefined;
  /** A proxy of the address. @default the address */
  readonly through?: Address | undefined;
  /** Whether the client comes back after a break: `after`, with what it has. @default false */
  readonly heals?: 'from the beginning' | 'after' | undefined;
  readonly held?: Held | undefined;
}

/** A chat that the program has created. */
export interface Chat {
  readonly id: string;
  readonly key: string;
  readonly input: object;
}

export interface World {
  readonly target: Target;
  /** Ids of all chats that were created. */
  readonly created: Set<string>;
  /** A part of every prompt of this run. */
  readonly mark: string;
  run(field: OperationField, variables: object, headers?: Headers): Promise<Result | null>;
  watch(field: 'streamChat' | 'chatEvents', options: WatchOptions): Watch;
  proxy(cut?: Cut): Promise<CuttingProxy>;
  /** @throws NotApplicable if the installation does not tell them apart */
  stranger(): Headers;
  input(length: 'long' | 'short'): object;
  nextKey(): string;
  start(length: 'long' | 'short'): Promise<Chat>;
  /** Finds out what the installation offers, with an ended chat. */
  probe(chat: Chat): Promise<void>;
  /** Closes the connections that were opened since the last call. */
  closeConnections(): Promise<void>;
}

const prompts = {
  long: 'Tell me a long story.',
  short: 'Say hello in one sentence.',
};

export function createWorld(target: Target): World {
  const closing: (() => Promise<void> | void)[] = [];
  const created = new Set<string>();
  const mark = `contract ${randomUUID().slice(0, 8)}`;
  const unavailable = new Map<string, string>();
  const strangerHeaders = target.otherHeaders ?? {
    ...target.headers,
    'x-end-user': `stranger-${mark.slice(-8)}`,
  };
  const requireOffered = (what: string): void => {
    const reason = unavailable.get(what);
    if (reason !== undefined) throw new NotApplicable(reason);
  };

  const open = (
    field: 'streamChat' | 'chatEvents',
    { transport, variables, headers = target.headers, through = target, heals, held }: WatchOptions,
  ): Watch => {
    requireOffered(transport);
    const isHealing = heals !== undefined;
    const payload = { query: subscriptions[field], variables: { ...variables } };
    if (transport === 'WebSocket') {
      const connection = connectSocket(through, headers, isHealing);
      closing.push(() => connection.close());
      return readWatch(openOnSocket(connection, payload), { name: field, isHealing, held });
    }
    const again = (before: Record<string, unknown>): Record<string, unknown> | undefined => {
      const last = watch.events.at(-1);
      if (last && isEnd(last)) return undefined;
      return heals === 'after' && watch.held.sequence >= 0
        ? { ...before, after: watch.held.sequence }
        : before;
    };
    const opened = openHttp(through, payload, { transport, headers, again: isHealing ? again : undefined });
    closing.push(opened.disconnect);
    const watch = readWatch(opened, { name: field, isHealing: heals === 'from the beginning', held });
    return watch;
  };

  const world: World = {
    target,
    created,
    mark,
    run: (field, variables, headers = target.headers) => run(target, field, { variables, headers }),
    watch: open,
    async proxy(cut) {
      const proxy = await startProxy(target, cut);
      closing.push(() => proxy.close());
      return proxy;
    },
    stranger() {
      requireOffered('stranger');
      return strangerHeaders;
    },
    input: (length) => ({
      model: target.model,
      maxTokens: length === 'long' ? target.maxTokens : Math.min(60, target.maxTokens),
      messages: [{ role: 'USER', content: { text: `${prompts[length]} (${mark})` } }],
    }),
    nextKey: () => `contract-${randomUUID()}`,
    async start(length) {
      const [key, input] = [world.nextKey(), world.input(length)];
      const result = await world.run('startChat', { input, idempotencyKey: key });
      if (result?.__typename !== 'Generation' || result.id === undefined)
        throw new Error(`a chat was not created: ${result?.code ?? 'no result'} ${result?.message ?? ''}`);
      created.add(result.id);
      return { id: result.id, key, input };
    },
    async probe({ id }) {
      for (const transport of transports)
        try {
          await open('chatEvents', { transport, variables: { id } }).ended;
        } catch (error) {
          // Any other problem is one of the cases.
          const isAbsent =
            error instanceof NotApplicable || (transport === 'WebSocket' && !(await canConnect(target)));
          if (isAbsent)
            unavailable.set(transport, `this address does not offer subscriptions over ${transport}`);
        }
      const seen = await world.run('generation', { by: { id } }, strangerHeaders);
      if (seen?.id === id && target.otherHeaders === undefined)
        unavailable.set(
          'stranger',
          'X-End-User does not reach the server; name another caller with --other-key',
        );
      if (seen?.code === 'BAD_REQUEST' || seen?.code === 'UNAUTHENTICATED' || seen?.code === 'FORBIDDEN')
        unavailable.set('stranger', `the other caller is refused (${seen.code}); name one with --other-key`);
    },
    async closeConnections() {
      for (const close of closing.splice(0)) await close();
    },
  };
  return world;
}

/** Whether a WebSocket can be opened at all. */
async function canConnect(target: Target): Promise<boolean> {
  const connection = connectSocket(target, target.headers);
  const opened = new Promise<boolean>((resolve) => {
    connection.client.on('connected', () => resolve(true));
    connection.client.on('error', () => resolve(false));
    connection.client.on('closed', () => resolve(false));
  });
  const results = connection.client.iterate({ query: '{ __typename }' });
  results.next().catch(() => {});
  try {
    return await opened;
  } finally {
    connection.close();
  }
}
