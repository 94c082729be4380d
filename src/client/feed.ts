import type { GenerationFilter } from './documents.generated.ts';
import {
  addFeedPage,
  applyFeedEvent,
  type FeedEvent,
  type FeedList,
  type FeedPage,
  keepSame,
  toFeedList,
} from './feed-list.ts';
import { emptyFeed, type FeedView } from './feed-view.ts';
import {
  type GenerationFields,
  type GenerationItem,
  listedFields,
  type TaskState,
  toGenerationItem,
} from './generation-view.ts';
import { runNonNull, startWait, watch } from './operate.ts';
import { onPageResumed } from './page-events.ts';
import { type GengraphProblem, isTransient } from './problem.ts';
import { backoffMs, type ReconnectingClient } from './reconnecting.ts';
import { TaskWatch } from './task-watch.ts';
import type { ViewSink } from './views.ts';

export const pageText = `query Feed($first:Int$after:String$filter:GenerationFilter){generations(first:$first after:$after filter:$filter){feedCursor edges{node{${listedFields}}}pageInfo{hasNextPage endCursor}}}`;
export const changesText = `subscription FeedChanges($after:String$filter:GenerationFilter){generationChanged(after:$after filter:$filter){__typename cursor ...on GenerationChanged{generationId matchesFilter generation{${listedFields}}}...on GenerationDeleted{generationId}}}`;

const defaultPageSize = 20;
const maxPageSize = 100;
/** After failures that no wait mends by itself, such as a lost network or a credential that is refused. */
const longWaitMs = 30_000;

type Page = FeedPage<GenerationFields> & { readonly feedCursor: string };

/** Reads and follows one list while somebody loops over it. It keeps the list for the next loop, which continues it. */
export class FeedFollower {
  readonly #client: ReconnectingClient;
  readonly #filter: GenerationFilter;
  readonly #pageSize: number;
  readonly #sinks = new Set<ViewSink<FeedView>>();
  readonly #tasks: TaskWatch;
  #list: FeedList<GenerationItem> | undefined;
  /** How often the list was read from its beginning. */
  #reads = 0;
  #problem: GengraphProblem | null = null;
  #loadingMore: Promise<void> | undefined;
  /** Events that arrive while a further page is read. */
  #meanwhile: FeedEvent<GenerationFields>[] | undefined;
  /** Another number for each time that it follows: what belongs to an older one is dropped. */
  #round = 0;
  #stopFollowing = (): void => {};
  readonly #waits = new Set<() => void>();
  #view = emptyFeed;

  constructor(client: ReconnectingClient, filter: GenerationFilter = {}, pageSize = defaultPageSize) {
    this.#client = client;
    this.#filter = filter;
    this.#pageSize = Math.min(pageSize, maxPageSize);
    this.#tasks = new TaskWatch(client, (id, state) => this.#applyState(id, state));
  }

  add(sink: ViewSink<FeedView>): () => void {
    this.#sinks.add(sink);
    if (this.#view !== emptyFeed) sink.push(this.#view);
    if (this.#sinks.size === 1) this.#start();
    return () => {
      this.#sinks.delete(sink);
      if (this.#sinks.size === 0) this.#stop();
    };
  }

  more(): Promise<void> {
    if (!this.#list?.hasMore || this.#sinks.size === 0) return Promise.resolve();
    const loading = (this.#loadingMore ??= this.#readMore(this.#round).finally(() => {
      // It may belong to an earlier round.
      if (this.#loadingMore !== loading) return;
      this.#endLoadingMore();
      this.#show();
    }));
    this.#show();
    return loading;
  }

  retry(): void {
    for (const end of this.#waits) end();
  }

  #start(): void {
    const round = (this.#round += 1);
    const stopListening = onPageResumed(() => this.retry());
    this.#stopFollowing = stopListening;
    void this.#follow(round, stopListening);
  }

  #stop(): void {
    this.#round += 1;
    this.#stopFollowing();
    this.#tasks.stop();
    this.#problem = null;
    this.#endLoadingMore();
    // For the next loop.
    this.#show();
    this.retry();
  }

  #endLoadingMore(): void {
    this.#loadingMore = undefined;
    this.#meanwhile = undefined;
  }

  /** Reads the list unless it is known, follows its changes, and begins anew when they cannot be followed. */
  async #follow(round: number, stopListening: () => void): Promise<void> {
    while (round === this.#round) {
      if ((!this.#list || this.#list.isStale) && !(await this.#read(round))) return;
      this.#show();
      const problem = await new Promise<GengraphProblem | null>((resolve) => {
        const stop = this.#watch(round, resolve);
        this.#stopFollowing = () => {
          stop();
          stopListening();
          resolve(null);
        };
      });
      if (problem && round === this.#round) await this.#wait(problem, 1);
    }
  }

  /** @returns whether this round still lasts */
  async #read(round: number): Promise<boolean> {
    const wanted = (): number => Math.max(this.#pageSize, this.#list?.items.length ?? 0);
    let read: FeedList<GenerationItem> | undefined;
    do {
      const first = wanted() - (read?.items.length ?? 0);
      const page = await this.#readPage(round, { first, after: read?.pageCursor });
      if (!page) return false;
      read = read ? addFeedPage(read, page) : toFeedList(page);
    } while (read.hasMore && read.items.length < wanted());
    const known = new Map(this.#list?.items.map((item) => [item.id, item]));
    this.#list = { ...read, items: read.items.map((item) => keepState(known.get(item.id), item)) };
    this.#reads += 1;
    return true;
  }

  async #readMore(round: number): Promise<void> {
    while (this.#list?.hasMore) {
      const { pageCursor } = this.#list;
      const reads = this.#reads;
      this.#meanwhile = [];
      const page = await this.#readPage(round, { first: this.#pageSize, after: pageCursor });
      if (!page) return;
      // Otherwise the list was read again meanwhile, and may be newer than this page.
      if (reads === this.#reads) {
        this.#list = addFeedPage(this.#list, page);
        for (const event of this.#meanwhile) this.#apply(event);
        return;
      }
    }
  }

  /** Tries until it succeeds. Undefined when the round is over. */
  async #readPage(
    round: number,
    { first, after }: { readonly first: number; readonly after: string | null | undefined },
  ): Promise<(FeedPage<GenerationItem> & { readonly feedCursor: string }) | undefined> {
    let size = Math.min(first, maxPageSize);
    for (let attempt = 0; round === this.#round; attempt += 1) {
      const { problem, value } = await runNonNull<Page>(this.#client, {
        query: pageText,
        variables: { first: size, after, filter: this.#filter },
      });
      if (round !== this.#round) return undefined;
      if (!problem) {
        this.#problem = null;
        return { ...value, edges: value.edges.map(({ node }) => ({ node: toGenerationItem(node) })) };
      }
      // Many long prompts exceed what one answer may have.
      if (problem.code === 'LIMIT_EXCEEDED' && size > 1) size = Math.ceil(size / 2);
      else await this.#wait(problem, attempt);
    }
    return undefined;
  }

  /** @returns a function that stops. `end` gets null if the list must be read again */
  #watch(round: number, end: (problem: GengraphProblem | null) => void): () => void {
    // Read whenever the subscription is sent, so that a new connection continues after the last event.
    const cursor = () => this.#list?.cursor;
    return watch<FeedEvent<GenerationFields>>({
      client: this.#client,
      operation: {
        query: changesText,
        variables: {
          filter: this.#filter,
          get after() {
            return cursor();
          },
        },
      },
      apply: (event) => {
        if (round !== this.#round) return 'end';
        this.#problem = null;
        this.#meanwhile?.push(event);
        this.#apply(event);
        this.#show();
        if (event.__typename !== 'FeedReset') return 'new';
        end(null);
        return 'end';
      },
      fail: (problem) => {
        if (this.#list) this.#list = { ...this.#list, isStale: true };
        end(problem);
      },
    });
  }

  #apply(event: FeedEvent<GenerationFields>): void {
    if (!this.#list) return;
    if (event.__typename !== 'GenerationChanged') this.#list = applyFeedEvent(this.#list, event);
    else {
      const generation = toGenerationItem(event.generation);
      const known = findItem(this.#list, generation.id);
      this.#list = applyFeedEvent(this.#list, { ...event, generation: keepState(known, generation) });
    }
  }

  #applyState(generationId: string, state: TaskState): void {
    const known = this.#list && findItem(this.#list, generationId);
    if (!this.#list || !known || known.isEnded) return;
    const generation = withState(known, state);
    const { cursor } = this.#list;
    this.#list = applyFeedEvent(this.#list, {
      __typename: 'GenerationChanged',
      cursor,
      generationId,
      matchesFilter: true,
      generation,
    });
    this.#show();
  }

  #show(): void {
    const { items = emptyFeed.items, hasMore = false } = this.#list ?? {};
    const view: FeedView = {
      items,
      hasMore,
      isLoading: !this.#list,
      isLoadingMore: this.#loadingMore !== undefined,
      problem: this.#problem,
    };
    if (this.#sinks.size > 0) this.#tasks.watch(items);
    if (isSameView(view, this.#view)) return;
    this.#view = view;
    for (const sink of this.#sinks) sink.push(view);
  }

  /** Waits before another attempt, until `retry`, or until the client is disposed. */
  #wait(problem: GengraphProblem, attempt: number): Promise<void> {
    this.#problem = problem;
    this.#show();
    if (this.#client.isDisposed) {
      for (const sink of this.#sinks) sink.end(this.#view);
      return Promise.resolve();
    }
    const ms = isTransient(problem)
      ? Math.max((problem.retryAfterSeconds ?? 0) * 1000, backoffMs(attempt))
      : longWaitMs;
    return new Promise((resolve) => {
      const end = startWait(this.#client, ms, () => {
        this.#waits.delete(end);
        resolve();
      });
      this.#waits.add(end);
    });
  }
}

function isSameView(view: FeedView, other: FeedView): boolean {
  return (
    view.items === other.items &&
    view.hasMore === other.hasMore &&
    view.isLoading === other.isLoading &&
    view.isLoadingMore === other.isLoadingMore &&
    view.problem === other.problem
  );
}

function withState(
  item: GenerationItem,
  { progress, queuePosition, readFailure }: TaskState,
): GenerationItem {
  return { ...item, progress, queuePosition, readFailure };
}

/** Lists and events leave out the state of a task, which the item has. */
function keepState(known: GenerationItem | undefined, item: GenerationItem): GenerationItem {
  return keepSame(known, known && !item.isEnded ? withState(item, known) : item);
}

function findItem(list: FeedList<GenerationItem>, id: string): GenerationItem | undefined {
  return list.items.find((item) => item.id === id);
}
