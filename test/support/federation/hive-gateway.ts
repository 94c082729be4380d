import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime, getGraphQLWSOptions } from '@graphql-hive/gateway-runtime';
import http from '@graphql-mesh/transport-http';
import ws from '@graphql-mesh/transport-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
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
}

/** Starts Hive Gateway's runtime with the published configuration, served like its own CLI serves it. */
export async function startHiveGateway(
  supergraph: string,
  { port = 0, credential }: HiveOptions = {},
): Promise<RunningGateway> {
  const { subscriptions } = gatewayConfig.transportEntries.gengraph.options;
  const { headers, options, ...socket } = subscriptions;
  const gateway = createGatewayRuntime({
    ...gatewayConfig,
    supergraph,
    transports: { http, ws },
    transportEntries: {
      gengraph: {
        options: {
          subscriptions: {
            ...socket,
            ...(credential !== 'connectionParams' && { headers }),
            ...(credential !== 'header' && { options }),
          },
        },
      },
    },
    logging: false,
    landingPage: false,
  });
  // Load the schema first: the first request over a WebSocket does not wait for it.
  await gateway.getSchema();
  const server = createServer((request, response) => void gateway(request, response));
  const sockets = new WebSocketServer({ server, path: '/graphql' });
  const served = useServer(
    getGraphQLWSOptions<Record<string, unknown>, Extra>(gateway, ({ extra: { request } }) => ({
      req: request,
      request: new Request('http://gateway/graphql', { headers: new Headers(toEntries(request.headers)) }),
    })),
    sockets,
  );
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, // TCP's is of this form.
    async [Symbol.asyncDispose]() {
      await served.dispose();
      await gateway[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toEntries(headers: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(headers).map(([name, value = '']) => [name, String(value)]);
}
