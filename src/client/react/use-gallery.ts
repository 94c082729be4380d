import { useMemo } from 'react';
import type { FeedOptions, FeedView, GenerationFilter, Gengraph } from '../gengraph.ts';
import { emptyFeed } from '../feed-view.ts';
import { useContentKey, useGengraph, useStore, useWith } from './context.ts';
import { createViewStore } from './view-store.ts';

export type GalleryOptions = Pick<FeedOptions, 'pageSize'>;

export interface Gallery extends FeedView {
  /** Reads the next page. Resolves when it is in the list. */
  loadMore(): Promise<void>;
  /** Tries again at once after a `problem`. */
  retry(): void;
}

/** A list of generations, newest first, that follows all changes: new ones, progress, ends and removals. */
export function useGallery(filter: GenerationFilter = {}, { pageSize }: GalleryOptions = {}): Gallery {
  const gengraph = useGengraph();
  const key = useContentKey(filter);
  const { store, actions } = useMemo(
    // Another object with the same content is the same filter.
    () => createGalleryStore(gengraph, filter, pageSize),
    [gengraph, key, pageSize],
  );
  return useWith(useStore(store), actions);
}

function createGalleryStore(gengraph: Gengraph, filter: GenerationFilter, pageSize: number | undefined) {
  const feed = gengraph.feed(filter, { pageSize });
  return {
    store: createViewStore<FeedView>(emptyFeed, () => feed),
    actions: { loadMore: feed.more, retry: feed.retry },
  };
}
