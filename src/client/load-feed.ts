import type { Client } from 'graphql-ws';
import type { GenerationFilter } from './documents.generated.ts';
import { emptyFeed, type Feed, type FeedOptions } from './feed-view.ts';
import { toProblem } from './problem.ts';
import { loadViews } from './views.ts';

/** A feed whose code is loaded when it is used: pages without one do not pay for it. */
export function loadFeed(client: Client, filter: GenerationFilter | undefined, options: FeedOptions): Feed {
  let loading: Promise<Feed> | undefined;
  const load = (): Promise<Feed> =>
    (loading ??= import('./feed.ts').then(
      ({ createFeed }) => createFeed(client, filter, options),
      (cause: unknown) => {
        loading = undefined;
        throw cause;
      },
    ));
  return {
    [Symbol.asyncIterator]: () =>
      loadViews(load, (cause) => ({ ...emptyFeed, problem: toProblem(cause) }), options.signal),
    more: async () => (await loading)?.more(),
    retry: () => void loading?.then((feed) => feed.retry()),
  };
}
