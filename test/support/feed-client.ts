import type { ExecutionResult } from 'graphql';
import type { Client } from 'graphql-ws';
import {
  GenerationChangedDocument,
  type GenerationChangedSubscription,
  type GenerationFilter,
  GenerationsDocument,
} from '../../src/client/documents.generated.ts';
import { type Api, subscribe } from './app.ts';

export type FeedEvent = GenerationChangedSubscription['generationChanged'];

export interface FeedServer {
  readonly api: Pick<Api, 'run'>;
  readonly socket: Client;
}

/** The statuses of a list by id, at most 100. */
export type Listed = ReadonlyMap<string, string>;

export async function readList(api: Pick<Api, 'run'>, filter: GenerationFilter = {}) {
  const { data, errors } = await api.run(GenerationsDocument, { first: 100, filter });
  if (!data?.generations) throw new Error(JSON.stringify(errors));
  const { edges, feedCursor } = data.generations;
  return { listed: new Map(edges.map(({ node }) => [node.id, node.status])), feedCursor };
}

type Events = AsyncIterableIterator<ExecutionResult<GenerationChangedSubscription>>;

/** A client that keeps a list up to date as the documentation says. */
export class FeedClient {
  readonly #filter: GenerationFilter;
  #listed = new Map<string, string>();
  #first = '';
  #last = '';
  #events: Events | undefined;
  #reading: Promise<void> = Promise.resolve();
  #seen: (() => void)[] = [];
  readonly counts = { events: 0, resets: 0 };

  constructor(filter: GenerationFilter = {}) {
    this.#filter = filter;
  }

  get listed(): Listed {
    return this.#listed;
  }

  /** Reads the list. */
  async start({ api }: FeedServer): Promise<void> {
    const { listed, feedCursor } = await readList(api, this.#filter);
    this.#listed = listed;
    this.#first = this.#last = feedCursor;
  }

  /** Follows the feed after the last event, or after the list again, as a client does that repeats its subscription. */
  connect(server: FeedServer, { repeats = false } = {}): void {
    const after = repeats ? this.#first : this.#last;
    const events = subscribe(server.socket, GenerationChangedDocument, { after, filter: this.#filter });
    this.#events = events;
    this.#reading = this.#read(server, events);
    // A cut breaks it.
    this.#reading.catch(() => {});
  }

  /** Cuts the subscription, also in the middle of an event. */
  async cut(): Promise<void> {
    const events = this.#events;
    this.#events = undefined;
    await events?.return?.();
    await this.#reading.catch(() => {});
  }

  /** Resolves when the client has heard of a generation. Fails if its subscription does. */
  async hasSeen(id: string): Promise<void> {
    const seen = async (): Promise<void> => {
      while (!this.#listed.has(id)) await new Promise<void>((resolve) => this.#seen.push(resolve));
    };
    await Promise.race([seen(), this.#reading.then(() => seen())]);
  }

  async #read({ api }: FeedServer, events: Events): Promise<void> {
    for await (const { data, errors } of events) {
      if (events !== this.#events) return;
      if (!data) throw new Error(JSON.stringify(errors));
      await this.#apply(data.generationChanged, api);
      this.#last = data.generationChanged.cursor;
      for (const wake of this.#seen.splice(0)) wake();
    }
  }

  async #apply(event: FeedEvent, api: FeedServer['api']): Promise<void> {
    this.counts.events += 1;
    if (event.__typename === 'FeedReset') {
      this.counts.resets += 1;
      // Later events wait until the list is read.
      this.#listed = (await readList(api, this.#filter)).listed;
      this.#first = event.cursor;
    } else if (event.__typename === 'GenerationChanged' && event.matchesFilter)
      this.#listed.set(event.generationId, event.generation.status);
    else this.#listed.delete(event.generationId);
  }
}
