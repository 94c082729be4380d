import type { Server } from 'node:http';
import type { ExecutionArgs } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import type { YogaServerInstance } from 'graphql-yoga';
import { WebSocketServer } from 'ws';

// The type parameters of a Yoga server are its contexts, which this file does not read.
type Yoga = Pick<YogaServerInstance<object, object>, 'getEnveloped'>;
type Enveloped = ReturnType<Yoga['getEnveloped']>;
interface EnvelopedArgs extends ExecutionArgs {
  readonly rootValue: Pick<Enveloped, 'execute' | 'subscribe'>;
}

// From https://the-guild.dev/graphql/yoga-server/docs/features/subscriptions#graphql-over-websocket-protocol-via-graphql-ws
export function serveSockets(yoga: Yoga, server: Server): void {
  const sockets = new WebSocketServer({ server, path: '/graphql', perMessageDeflate: false });
  useServer(
    {
      execute: (args) => (args as EnvelopedArgs).rootValue.execute(args),
      subscribe: (args) => (args as EnvelopedArgs).rootValue.subscribe(args),
      async onSubscribe({ extra, connectionParams }, _id, params) {
        const { schema, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({
          req: extra.request,
          socket: extra.socket,
          params,
          connectionParams,
        });
        const document = parse(params.query);
        const errors = validate(schema, document);
        if (errors.length > 0) return [...errors];
        return {
          schema,
          document,
          operationName: params.operationName,
          variableValues: params.variables,
          contextValue: await contextFactory(),
          rootValue: { execute, subscribe },
        };
      },
    },
    sockets,
  );
}
