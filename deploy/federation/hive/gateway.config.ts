import type { GatewayConfigSupergraph } from '@graphql-hive/gateway-runtime';

/** What tells Gengraph who calls, and what joins its traces to the gateway's. */
const forwarded = [
  'authorization',
  'new-api-user',
  'x-end-user',
  'x-forwarded-hoapp-codest',
  'x-request-id',
  'traceparent',
  'tracestate',
];

/**
 * Hive Gateway over the supergraph beside it: `hive-gateway supergraph` reads this file. Queries and mutations go over
 * HTTP, subscriptions over graphql-transport-ws. A client of the gateway may bring its credential as a header of the
 * request or of the upgrade, or in connectionParams as `authorization`: the gateway counts all of them as headers.
 */
export const gatewayConfig = {
  supergraph: 'supergraph.graphql',
  propagateHeaders: {
    fromClientToSubgraphs: ({ request, context }) =>
      Object.fromEntries(
        forwarded.flatMap((name) => {
          const value = context.headers[name] ?? request.headers.get(name);
          return value ? [[name, value]] : [];
        }),
      ),
  },
  transportEntries: {
    gengraph: {
      options: {
        subscriptions: {
          kind: 'ws',
          location: '/graphql',
          // Both are read; either alone is enough. Each different set has a socket of its own.
          headers: forwarded.map((name) => [name, `{context.headers.${name}}`]),
          options: {
            connectionParams: { authorization: '{context.headers.authorization}' },
          },
        },
      },
    },
  },
} satisfies GatewayConfigSupergraph;
