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
    subscribe<Data, Extensions>(...[payload, sink]: Parameters<typeof client.subscribe<Data, Extensions>>) {
      let cursor: unknown;
      const variables = {
        ...payload.variables,
        // Read whenever the operation is sent.
        get after() {
          return cursor ?? payload.variables?.['after'];
        },
      };
      return client.subscribe<Data, Extensions>(
        { ...payload, variables },
        {
          ...sink,
          next(result) {
            const [event]: readonly unknown[] = Object.values(result.data ?? {});
            if (typeof event === 'object' && event && 'cursor' in event) cursor = event.cursor ?? cursor;
            sink.next(result);
          },
        },
      );
    },
  };
}
