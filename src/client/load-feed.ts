import type { GenerationFilter } from './documents.generated.ts';
import type { FeedFollower } from './feed.ts';
import { emptyFeed, type Feed, type FeedOptions } from './feed-view.ts';
import { loadViews } from './load.ts';
import type { ReconnectingClient } from './reconnecting.ts';

/** A feed whose code is loaded when it is used: pages without one do not pay for it. */
export function loadFeed(
  client: ReconnectingClient,
  filter: GenerationFilter | undefined,
  { pageSize, signal }: FeedOptions = {},
): Feed {
  let feed: FeedFollower | undefined;
  const load = async () => {
    const { FeedFollower } = await import('./feed.ts');
    const follower = (feed ??= new FeedFollower(client, filter, pageSize));
    return (sink: Parameters<FeedFollower['add']>[0]) => follower.add(sink);
  };
  return {
    [Symbol.asyncIterator]: () => loadViews(load, (problem) => ({ ...emptyFeed, problem }), signal),
    // Before the first page, there is none to add to.
    more: async () => feed?.more(),
    retry: () => feed?.retry(),
  };
}
