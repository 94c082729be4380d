import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type { RunningGateway } from './hive-gateway.ts';

interface GatewayContext {
  readonly headers?: NodeJS.Dict<string | string[]>;
}

/** Starts Apollo's JavaScript gateway, which forwards the credential. It does not support subscriptions. */
export async function startApolloGateway(supergraph: string): Promise<RunningGateway> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const gateway = new ApolloGateway({
    supergraphSdl: supergraph,
    logger: quiet,
    buildService: ({ url = '' }) =>
      new RemoteGraphQLDataSource<GatewayContext>({
        url,
        willSendRequest({ request, context }) {
          for (const name of ['authorization', 'x-end-user', 'traceparent']) {
            const value = context.headers?.[name];
            if (typeof value === 'string') request.http?.headers.set(name, value);
          }
        },
      }),
  });
  const server = new ApolloServer<GatewayContext>({
    gateway,
    logger: quiet,
    stopOnTerminationSignals: false,
  });
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req: { headers } }) => ({ headers }),
  });
  return { url, [Symbol.asyncDispose]: () => server.stop() };
}
