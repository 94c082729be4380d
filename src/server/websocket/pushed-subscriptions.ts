import { GraphQLError } from 'graphql';
import { type Context as Connection, MessageType } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { PushedEvents } from '../operation/compiled/push-events.ts';
import { LazyMap } from '../../lib/lazy-map.ts';

/**
 * Takes subscriptions that push their events over from graphql-ws. Its loop over the events would hold the message, the
 * document, the variables and the execution arguments of each subscription while it waits.
 */
export interface PushedSubscriptions {
  /** Called from `onSubscribe` of graphql-ws. Returns its result: graphql-ws then sends nothing for this operation. */
  takeOver(subscription: PushedSubscription): readonly GraphQLError[];
  /** Called when graphql-ws has handled the message with this payload. False if nothing was taken over. */
  start(payload: unknown, onEnd: () => void): boolean;
}

export interface PushedSubscription {
  /** The payload of its message. */
  readonly payload: object;
  readonly connection: Pick<Connection, 'subscriptions'>;
  readonly id: string;
  readonly events: PushedEvents;
}

export interface PushedSubscriptionsOptions {
  readonly socket: Pick<WebSocket, 'readyState' | 'CLOSED'>;
  /** Resolves when the message is written, or if the socket is closed. */
  readonly send: (text: string) => Promise<void>;
  readonly takenOver: readonly GraphQLError[];
}

/** What `takeOver` returns: one for all sockets, because an error records its stack. */
export function createTakenOver(): readonly GraphQLError[] {
  return [new GraphQLError('The subscription was taken over.')];
}

export function createPushedSubscriptions({
  socket,
  send,
  takenOver,
}: PushedSubscriptionsOptions): PushedSubscriptions {
  const taken = new LazyMap<unknown, PushedSubscription>();
  const follow = (
    { connection, id, events }: Omit<PushedSubscription, 'payload'>,
    onEnd: () => void,
  ): void => {
    // graphql-ws returns it when the client completes it or the socket closes.
    connection.subscriptions[id] = events;
    if (socket.readyState === socket.CLOSED) void events.return?.();
    const end = (toMessage: () => object): void => {
      if (connection.subscriptions[id] !== events) return onEnd();
      delete connection.subscriptions[id];
      void send(JSON.stringify(toMessage())).then(onEnd);
    };
    events.next().then(
      () => end(() => ({ id, type: MessageType.Complete })),
      (error: unknown) => {
        end(() => ({ id, type: MessageType.Error, payload: [toPayload(error)] }));
      },
    );
  };
  return {
    takeOver(subscription) {
      const { connection, id, events, payload } = subscription;
      if (id in connection.subscriptions) {
        taken.set(payload, subscription);
        // Until `start`, which runs before the next message is read.
        delete connection.subscriptions[id];
      } else {
        // The client has completed it.
        void events.return?.();
      }
      return takenOver;
    },
    start(payload, onEnd) {
      const subscription = taken.get(payload);
      if (!subscription) return false;
      taken.delete(payload);
      const { connection, id, events } = subscription;
      follow({ connection, id, events }, onEnd);
      return true;
    },
  };
}

/** The same as graphql-ws sends. */
function toPayload(error: unknown): object {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError }).toJSON();
}
