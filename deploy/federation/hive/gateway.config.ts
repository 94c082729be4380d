import type { GatewayConfigSupergraph, GatewayPlugin } from '@graphql-hive/gateway-runtime';

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

/** As Hive Gateway fills them in: nothing where the client sent nothing. */
const fromClient: readonly [string, string][] = forwarded.map((name) => [name, `{context.headers.${name}}`]);

/**
 * Hive Gateway over the supergraph beside it: `hive-gateway supergraph` reads this file. Queries and mutations go over
 * HTTP, subscriptions over graphql-transport-ws. A client of the gateway may say who it is in headers of the request or of
 * the upgrade, or in connectionParams, as Gengraph itself reads them: the names above in any letter case, and `token`.
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
          headers: [...fromClient],
          options: { connectionParams: Object.fromEntries(fromClient) },
        },
      },
    },
  },
  plugins: () => [useWebSocketClients()],
} satisfies GatewayConfigSupergraph;

/**
 * The gateway counts connectionParams as headers, but letter by letter: they get the names that headers have. And it takes
 * an operation for one by GET, as the upgrade was, and refuses mutations: on a WebSocket they are as deliberate as by POST.
 */
function useWebSocketClients(): GatewayPlugin {
  return {
    onParams({ request, context, paramsHandler, setParamsHandler, fetchAPI }) {
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return;
      // Of graphql-ws, hence not in the type.
      const client = context as { connectionParams?: unknown };
      client.connectionParams = toHeaders(client.connectionParams);
      const { url, headers } = request;
      const posted = new fetchAPI.Request(url, { method: 'POST', headers });
      setParamsHandler((payload) => paramsHandler({ ...payload, request: posted }));
    },
  };
}

/** What can be a header, by its name in lower case; `token` is another word for `authorization`. */
function toHeaders(connectionParams: unknown): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(connectionParams ?? {})) {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (/^[\t\u0020-\u007E\u0080-\u00FF]+$/.test(text)) values.set(name.toLowerCase(), text);
  }
  const token = values.get('token');
  if (token !== undefined && !values.has('authorization')) values.set('authorization', token);
  return Object.fromEntries(values);
}
