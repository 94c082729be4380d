import type { GenerationItem } from './generation-view.ts';
import type { GengraphProblem } from './problem.ts';

export interface FeedOptions {
  /** Ends loops over the feed. */
  readonly signal?: AbortSignal | undefined;
  /** Generations per page, at most 100. @default 20 */
  readonly pageSize?: number | undefined;
}

/** The list as it is now. An item that does not change keeps its identity. */
export interface FeedView {
  /** Newest first. */
  readonly items: readonly GenerationItem[];
  /** Whether `more` can read older ones. */
  readonly hasMore: boolean;
  /** Until the first page is there. */
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  /** Why the list cannot be read or followed now. Null when it can again. */
  readonly problem: GengraphProblem | null;
}

/** A list of generations that follows all changes. Each loop over it gets the list after each change, and never ends by itself. */
export interface Feed extends AsyncIterable<FeedView> {
  /** Reads the next page. Resolves when it is in the list, or when nobody loops over the feed any more. */
  more(): Promise<void>;
  /** Tries again at once after a `problem`. Those that can pass are tried again without it. */
  retry(): void;
}

export const emptyFeed: FeedView = {
  items: [],
  hasMore: false,
  isLoading: true,
  isLoadingMore: false,
  problem: null,
};
