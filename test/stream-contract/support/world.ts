import type { Endpoint, SetUp, Settings } from '../set-up.ts';
import type { Watch } from '../../../src/contract/clients/watch.ts';
import { type Headers, type Result, run, watch, type WatchOptions } from './client.ts';
import { type Exchange, type GatewayDouble, startGatewayDouble } from './gateway-double.ts';
import type { OperationField } from '../../../src/contract/clients/operations.ts';

export const alice: Headers = { authorization: 'Bearer sk-alice' };
export const bob: Headers = { authorization: 'Bearer sk-bob' };

export type Kind = 'chat' | 'images';
export const kinds: readonly Kind[] = ['chat', 'images'];

/** What a case has: endpoints of the set-up and the gateway double. */
export interface World {
  readonly gateway: GatewayDouble;
  /** An endpoint that all cases with these settings share. */
  endpoint(settings?: Settings): Promise<Endpoint>;
  /** An endpoint for one case, which may break it. The case closes it. */
  ownEndpoint(settings?: Settings): Promise<Endpoint>;
  /** A text that no other case uses. The gateway double finds it in the request. */
  nextTag(): string;
  close(): Promise<void>;
}

export function createWorld(setUp: SetUp): World {
  const endpoints = new Map<string, Promise<Endpoint>>();
  let started: Promise<GatewayDouble> | undefined;
  let gateway: GatewayDouble | undefined;
  let tags = 0;
  const startGateway = async (): Promise<GatewayDouble> =>
    (gateway = await (started ??= startGatewayDouble()));
  const ownEndpoint = async (settings: Settings = {}): Promise<Endpoint> =>
    setUp.start({ gatewayUrl: (await startGateway()).url, settings });
  return {
    get gateway() {
      if (!gateway) throw new Error('open an endpoint first');
      return gateway;
    },
    ownEndpoint,
    async endpoint(settings = {}) {
      const key = JSON.stringify(settings);
      const endpoint = endpoints.get(key) ?? ownEndpoint(settings);
      endpoints.set(key, endpoint);
      return endpoint;
    },
    nextTag() {
      tags += 1;
      return `tag-${tags}`;
    },
    async close() {
      for (const endpoint of endpoints.values()) await (await endpoint).close();
      await gateway?.close();
    },
  };
}

/** The input of a create whose request has this tag. */
export function inputOf(kind: Kind, tag: string): object {
  return kind === 'chat'
    ? { model: 'm', messages: [{ role: 'USER', content: { text: tag } }] }
    : { model: 'seedream-4', prompt: tag, imageGroup: 'AUTO' };
}

export const createFields = { chat: 'streamChat', images: 'streamImages' } as const;
export const followFields = { chat: 'chatEvents', images: 'imageEvents' } as const;

/** A stream that the gateway double is producing. */
export interface RunningStream {
  readonly endpoint: Endpoint;
  readonly kind: Kind;
  readonly id: string;
  readonly tag: string;
  readonly key: string;
  readonly exchange: Exchange;
  /** Follows it by id. */
  follow(
    options?: Partial<WatchOptions> & { readonly after?: number | null; readonly minIntervalMs?: number },
  ): Watch;
  run(field: OperationField, variables: object): Promise<Result | null>;
  /** Sends parts of the reply, and resolves when a watcher has received them all. */
  sendSeen(...parts: readonly unknown[]): Promise<void>;
}

export interface StartOptions {
  readonly kind?: Kind;
  readonly settings?: Settings;
  readonly endpoint?: Endpoint;
}

/** Starts a stream by a subscription with a client's key, and unsubscribes once the gateway has accepted it. */
export async function startStream(world: World, options: StartOptions = {}): Promise<RunningStream> {
  const { kind = 'chat', settings } = options;
  const endpoint = options.endpoint ?? (await world.endpoint(settings));
  const tag = world.nextTag();
  const key = `key-${tag}`;
  const variables = { input: inputOf(kind, tag), idempotencyKey: key };
  const starting = watch(endpoint, createFields[kind], { variables, headers: alice });
  const exchange = await Promise.race([world.gateway.exchange(tag), neverSent(starting)]);
  exchange.accept();
  const { generationId } = await starting.at(0);
  await starting.leave();
  return runningStream({ endpoint, kind, id: generationId ?? '', tag, key, exchange });
}

/** Rejects when the create ends before its request arrives. */
async function neverSent({ ended }: Watch): Promise<never> {
  throw new Error(`nothing was sent: ${JSON.stringify(await ended)}`);
}

export function runningStream(
  parts: Pick<RunningStream, 'endpoint' | 'kind' | 'id' | 'tag' | 'key' | 'exchange'>,
): RunningStream {
  const { endpoint, kind, id, exchange } = parts;
  const follow: RunningStream['follow'] = ({ after, minIntervalMs, ...options } = {}) =>
    watch(endpoint, followFields[kind], {
      headers: alice,
      ...options,
      variables: {
        id,
        ...(after !== undefined && { after }),
        ...(minIntervalMs !== undefined && { minIntervalMs }),
      },
    });
  return {
    ...parts,
    follow,
    run: (field, variables) => run(endpoint, field, { variables, headers: alice }),
    async sendSeen(...pieces) {
      const watcher = follow();
      const { sequence } = await watcher.at(0);
      exchange.send(...pieces);
      await watcher.untilSequence(sequence + pieces.length);
      await watcher.leave();
    },
  };
}

/** The text of the first choice in a record. */
export function recordedText(result: Result | null): string {
  return result?.output?.choices?.[0]?.message.content ?? '';
}
