import type { GatewayConfigSupergraph, GatewayPlugin } from '@graphql-hive/gateway-runtime';
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Headers that identify the caller and carry the trace context. */
const forwarded = [
  'authorization',
  'new-api-user',
  'x-end-user',
  'x-forwarded-hoapp-codest',
  'x-request-id',
  'traceparent',
  'tracestate',
];

/** Templates that Hive Gateway fills in. A header that the client did not send stays empty. */
const fromClient: readonly [string, string][] = forwarded.map((name) => [name, `{context.headers.${name}}`]);

/**
 * Hive Gateway over the supergraph beside it: `hive-gateway supergraph` reads this file. Queries and mutations go over
 * HTTP, subscriptions over graphql-transport-ws. A client can send its credentials in the headers of the request or of
 * the upgrade, or in connectionParams, as with Gengraph itself: the names above in any letter case, and `token`.
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
          // Gengraph reads both. The gateway opens one socket per distinct set of values.
          headers: [...fromClient],
          options: { connectionParams: Object.fromEntries(fromClient) },
        },
      },
    },
  },
  plugins: () => [useWebSocketClients(), useTokenExpiry()],
} satisfies GatewayConfigSupergraph;

/**
 * Adapts WebSocket operations to the gateway. It compares the names of connectionParams case-sensitively, so they are changed
 * to lower case. It treats the operation as a GET, like the upgrade request, and refuses mutations, so it is changed to POST.
 */
function useWebSocketClients(): GatewayPlugin {
  return {
    onParams({ request, context, paramsHandler, setParamsHandler, fetchAPI }) {
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return;
      // graphql-ws adds this member, so the type lacks it.
      const client = context as { connectionParams?: unknown };
      client.connectionParams = toHeaders(client.connectionParams);
      const { url, headers } = request;
      const posted = new fetchAPI.Request(url, { method: 'POST', headers });
      setParamsHandler((payload) => paramsHandler({ ...payload, request: posted }));
    },
  };
}

/**
 * Ends a subscription when its token expires, so that the client subscribes again with a new one. Gengraph closes its
 * connection to the gateway then. By itself, the gateway would try the expired token again for 40 seconds.
 */
function useTokenExpiry(): GatewayPlugin {
  return {
    onSubscribe({ args }) {
      const { headers, connectionParams = {} } = args.contextValue as Readonly<
        Record<'headers' | 'connectionParams', Readonly<Record<string, string>> | undefined>
      >;
      const expiresAt = readExpiry(connectionParams['authorization'] ?? headers?.['authorization']);
      if (expiresAt === undefined) return undefined;
      return {
        onSubscribeResult({ result, setResult }) {
          if (!(Symbol.asyncIterator in result)) return;
          const extensions = { code: 'UNAUTHENTICATED', retry: findAdvice(args) };
          const error = new GraphQLError('The token has expired. Subscribe again with a new one.', {
            extensions,
          });
          setResult(endAt(expiresAt, error, result[Symbol.asyncIterator]()));
        },
      };
    },
  };
}

/**
 * What a client does after the expiry. What a subscription has created goes on, and the next subscription finds it only by
 * its `idempotencyKey`: without one, it creates again.
 */
function findAdvice({ schema, document, variableValues }: ExecutionArgs): string {
  let advice = 'AUTHENTICATE';
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Field({ arguments: given = [] }) {
      const isRoot = types.getParentType() === schema.getSubscriptionType();
      if (!isRoot || !types.getFieldDef()?.args.some(({ name }) => name === 'idempotencyKey')) return false;
      const key = given.find(({ name }) => name.value === 'idempotencyKey')?.value;
      const hasKey = key && (valueFromASTUntyped(key, variableValues) ?? undefined) !== undefined;
      advice = hasKey ? 'SAME_KEY' : 'MAY_CHARGE_AGAIN';
      return false;
    },
  });
  visit(document, visitor);
  return advice;
}

/** The `exp` of a token, in milliseconds. Gengraph verifies the token. Undefined for a key. */
function readExpiry(authorization = ''): number | undefined {
  const [, payload = ''] = authorization.split('.');
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** The longest delay of a timer. */
const maxDelayMs = 2 ** 31 - 1;

/** The same events until this time, then the error. No generator: that could not end while it waits for an event. */
function endAt(
  expiresAt: number,
  error: GraphQLError,
  events: AsyncIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult, undefined> {
  const delayMs = expiresAt - Date.now();
  let isOver = false;
  let expire = (): void => {};
  const timer = delayMs > maxDelayMs ? undefined : setTimeout(() => expire(), delayMs);
  const iterator: AsyncIterableIterator<ExecutionResult, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      if (isOver) return { done: true, value: undefined };
      const next = await new Promise<IteratorResult<ExecutionResult> | undefined>((resolve, reject) => {
        expire = () => resolve(undefined);
        events.next().then(resolve, reject);
        if (Date.now() >= expiresAt) expire();
      });
      if (next && !next.done) return next;
      await iterator.return?.();
      if (next) return { done: true, value: undefined };
      return { done: false, value: { errors: [error] } };
    },
    async return() {
      isOver = true;
      clearTimeout(timer);
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
  return iterator;
}

/** The values that are valid in a header, by lower-case name. `token` is an alias of `authorization`. */
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
