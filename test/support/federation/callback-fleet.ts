import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { startTcpGate } from '../../stream-contract/set-ups/tcp-gate.ts';
import { type Api, apiAt } from '../app.ts';
import { startFakeGateway } from '../fake-gateway.ts';
import { type FleetServer, startFleetServer, waitUntilReady } from '../fleet.ts';
import { findPort } from '../find-port.ts';
import { chunk } from '../scripted-gateway.ts';
import { composeSupergraph } from './compose.ts';
import { startHiveGateway } from './hive-gateway.ts';

/** Gengraph's processes behind Hive Gateway with its callback transport. */
export interface CallbackFleet {
  readonly servers: readonly FleetServer[];
  /** Access to the router. */
  readonly router: Api;
  /** Sends the requests of the router to these servers alone, in turn. */
  route(servers: readonly FleetServer[]): void;
  /** Starts a server in the place of one that has ended, on the same port. */
  replace(place: number): Promise<FleetServer>;
}

export interface CallbackFleetOptions {
  readonly count: number;
  readonly databaseUrl: string;
  readonly gatewayUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

const subgraphFile = new URL('../../../deploy/federation/gengraph.subgraph.graphql', import.meta.url);

export async function startCallbackFleet(options: CallbackFleetOptions): Promise<CallbackFleet> {
  const ports: number[] = [];
  const balancer = await startTcpGate(ports);
  onTestFinished(() => balancer.close());
  const url = `http://127.0.0.1:${balancer.port}/graphql`;
  const sdl = await readFile(subgraphFile, 'utf8');
  const router = await startHiveGateway(composeSupergraph([{ name: 'gengraph', url, sdl }]), {
    subscriptions: 'callback',
  });
  onTestFinished(() => router[Symbol.asyncDispose]());
  const own = await Promise.all(Array.from({ length: options.count }, findPort));
  const start = (port: number): Promise<FleetServer> =>
    startFleetServer({
      PORT: String(port),
      DATABASE_URL: options.databaseUrl,
      GATEWAY_URL: options.gatewayUrl,
      CALLBACK_URLS: `${new URL(router.url).origin}/callback`,
      SHUTDOWN_SECONDS: '30',
      ...options.env,
    });
  const servers = await Promise.all(own.map(start));
  await waitUntilReady(servers);
  const route = (to: readonly FleetServer[]): void =>
    void ports.splice(0, ports.length, ...to.map(({ url: address }) => Number(new URL(address).port)));
  route(servers);
  return {
    servers,
    route,
    router: apiAt(router.url),
    async replace(place) {
      const server = await start(own[place] ?? 0);
      await waitUntilReady([server]);
      servers[place] = server;
      return server;
    },
  };
}

/** A gateway whose chats go on until the test ends them. */
export interface EndlessGateway {
  readonly url: string;
  /** Requests for chats. */
  readonly chats: number;
  /** All chats send their last words. */
  finish(): void;
}

export async function startEndlessGateway(wordMs: number): Promise<EndlessGateway> {
  let chats = 0;
  let isFinishing = false;
  const { url } = await startFakeGateway((_request, response) => {
    chats += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let count = 0;
    const write = (): void => {
      if (response.destroyed) return;
      count += 1;
      response.write(`data: ${JSON.stringify(chunk({ content: `word-${count} ` }))}\n\n`);
      if (isFinishing) response.end('data: [DONE]\n\n');
      else setTimeout(write, wordMs);
    };
    write();
  });
  return {
    url,
    get chats() {
      return chats;
    },
    finish: () => void (isFinishing = true),
  };
}
