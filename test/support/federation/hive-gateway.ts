import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createGatewayRuntime,
  type GatewayConfigSupergraph,
  getGraphQLWSOptions,
} from '@graphql-hive/gateway-runtime';
import http from '@graphql-mesh/transport-http';
import callback from '@graphql-mesh/transport-http-callback';
import ws from '@graphql-mesh/transport-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { createGatewayConfig } from '../../../deploy/federation/hive/callback.config.ts';
import { gatewayConfig } from '../../../deploy/federation/hive/gateway.config.ts';

export interface RunningGateway extends AsyncDisposable {
  /** URL of the GraphQL endpoint. */
  readonly url: string;
}

export interface HiveOptions {
  /** @default a free port */
  readonly port?: number;
  /** How subscriptions carry the credential upstream. @default both, as configured */
  readonly credential?: 'header' | 'connectionParams';
  /** How the gateway subscribes to Gengraph. @default 'ws' */
  readonly subscriptions?: 'ws' | 'callback' | 'sse';
}

/** Starts Hive Gateway's runtime with the published configuration, served like its own CLI serves it. */
export async function startHiveGateway(
  supergraph: string,
  options: HiveOptions = {},
): Promise<RunningGateway> {
  const server = createServer();
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // TCP's is of this form.
  const gateway = createGatewayRuntime({
    ...toConfig(options, origin),
    supergraph,
    transports: { http, ws, 'http-callback': callback },
    logging: false,
    landingPage: false,
  });
  // Load the schema first: the first request over a WebSocket does not wait for it.
  await gateway.getSchema();
  server.on('request', (request, response) => void gateway(request, response));
  const sockets = new WebSocketServer({ server, path: '/graphql' });
  const served = useServer(
    getGraphQLWSOptions<Record<string, unknown>, Extra>(gateway, ({ extra: { request } }) => ({
      req: request,
      request: new Request('http://gateway/graphql', { headers: new Headers(toEntries(request.headers)) }),
    })),
    sockets,
  );
  return {
    url: `${origin}/graphql`,
    async [Symbol.asyncDispose]() {
      await served.dispose();
      await gateway[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The published settings, with another way of subscriptions. */
function toConfig(
  { credential, subscriptions = 'ws' }: HiveOptions,
  origin: string,
): GatewayConfigSupergraph {
  if (subscriptions === 'callback') return createGatewayConfig(origin);
  const { headers, options, ...socket } = gatewayConfig.transportEntries.gengraph.options.subscriptions;
  const entry =
    subscriptions === 'sse'
      ? { kind: 'http', location: '/graphql', headers, options: { method: 'POST' } }
      : {
          ...socket,
          ...(credential !== 'connectionParams' && { headers }),
          ...(credential !== 'header' && { options }),
        };
  return { ...gatewayConfig, transportEntries: { gengraph: { options: { subscriptions: entry } } } };
}

function toEntries(headers: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(headers).map(([name, value = '']) => [name, String(value)]);
}
