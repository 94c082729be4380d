import type { GatewayConfigSupergraph } from '@graphql-hive/gateway-runtime';
import { MemPubSub } from '@graphql-hive/pubsub';
import { gatewayConfig as socketConfig } from './gateway.config.ts';

/** Below the router's address: Gengraph posts the events there. */
const path = '/callback';

/**
 * Hive Gateway with subscriptions by HTTP callback: they survive the server that they began with. Start Gengraph with
 * `CALLBACK_URLS` set to this address. Several routers need an address each, because one keeps its subscriptions in memory.
 * @param publicUrl where Gengraph reaches this router, such as `http://router:4000`
 */
export function createGatewayConfig(publicUrl: string) {
  const { headers } = socketConfig.transportEntries.gengraph.options.subscriptions;
  return {
    ...socketConfig,
    pubsub: new MemPubSub(),
    // Passes the posts to the subscriptions.
    webhooks: true,
    transportEntries: {
      gengraph: {
        options: {
          subscriptions: {
            kind: 'http-callback',
            location: '/graphql',
            headers,
            options: {
              path,
              public_url: `${publicUrl}${path}`,
              // The gateway's own default is 50 seconds. It then waits as long for a server that is gone.
              heartbeat_interval: 5000,
            },
          },
        },
      },
    },
  } satisfies GatewayConfigSupergraph;
}

export const gatewayConfig = createGatewayConfig(process.env['PUBLIC_URL'] ?? 'http://localhost:4000');
