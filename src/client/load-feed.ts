import type { Client } from 'graphql-ws';
import type { GenerationFilter } from './documents.generated.ts';
import { emptyFeed, type Feed, type FeedOptions } from './feed-view.ts';
import { toProblem } from './problem.ts';
import { loadOnce, loadViews } from './load.ts';

/** A feed whose code is loaded when it is used: pages without one do not pay for it. */
export function loadFeed(client: Client, filter: GenerationFilter | undefined, options: FeedOptions): Feed {
  const load = loadOnce(async () => (await import('./feed.ts')).createFeed(client, filter, options));
  return {
    [Symbol.asyncIterator]: () =>
      loadViews(load, (cause) => ({ ...emptyFeed, problem: toProblem(cause) }), options.signal),
    more: async () => (await load()).more(),
    retry: () => void load().then((feed) => feed.retry()),
  };
}
