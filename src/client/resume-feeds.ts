import type { Client } from 'graphql-ws';

/** A `Gengraph`, or a client of graphql-ws. */
export interface Connected {
  readonly client: Client;
}

/**
 * A client whose subscriptions to `generationChanged` continue after their last event when a lost connection is back. Others
 * are unchanged: graphql-ws repeats their operation as it was.
 */
export function resumeFeeds(client: Client): Client {
  return {
    ...client,
    subscribe(payload, sink) {
      let cursor: unknown;
      const variables = {
        ...payload.variables,
        // Read whenever the operation is sent.
        get after() {
          return cursor ?? payload.variables?.['after'];
        },
      };
      return client.subscribe<Record<string, { readonly cursor?: string } | null>>(
        { ...payload, variables },
        {
          ...sink,
          next(result) {
            const [event] = Object.values(result.data ?? {});
            cursor = event?.cursor ?? cursor;
            sink.next(result as Parameters<typeof sink.next>[0]); // The caller knows what it selects.
          },
        },
      );
    },
  };
}
