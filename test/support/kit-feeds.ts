import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createGengraph, type Feed, type FeedView, type Gengraph } from '../../src/client/gengraph.ts';
import { sandboxKey } from './app.ts';

export interface CuttableGengraph {
  readonly gengraph: Gengraph;
  /** How often it has read pages of a list. */
  readonly pageReads: number;
  /** Breaks its connection. The next one opens without a back-off. */
  cut(): void;
}

/** A client whose connection a test can break. Disposed when the test ends. */
export function connectGengraph(url: string, endUser = 'ann'): CuttableGengraph {
  const sockets = new Set<WebSocket>();
  let pageReads = 0;
  class Cuttable extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address, protocols, { headers: { 'x-end-user': endUser } });
      sockets.add(this);
      this.once('close', () => sockets.delete(this));
    }

    override send(message: string): void {
      if (message.includes('query Feed(')) pageReads += 1;
      super.send(message);
    }
  }
  const gengraph = createGengraph({
    url,
    credential: sandboxKey.authorization,
    webSocketImpl: Cuttable,
  });
  onTestFinished(() => gengraph.dispose());
  return {
    gengraph,
    get pageReads() {
      return pageReads;
    },
    cut() {
      for (const socket of sockets) socket.terminate();
      setImmediate(() => gengraph.connection.check());
    },
  };
}

/** Somebody who looks at a feed. */
export class FeedReader {
  readonly #feed: Feed;
  #left: AsyncIterator<FeedView> | undefined;
  #wakes: (() => void)[] = [];
  view: FeedView | undefined;
  readonly views: FeedView[] = [];

  constructor(feed: Feed) {
    this.#feed = feed;
    this.enter();
  }

  enter(): void {
    const views = this.#feed[Symbol.asyncIterator]();
    this.#left = views;
    void (async () => {
      for (;;) {
        const next = await views.next();
        if (next.done || views !== this.#left) return;
        this.view = next.value;
        this.views.push(next.value);
        for (const wake of this.#wakes.splice(0)) wake();
      }
    })();
  }

  leave(): void {
    const views = this.#left;
    this.#left = undefined;
    void views?.return?.();
  }

  /** Resolves with the first view that the test accepts. */
  async when(accepts: (view: FeedView) => boolean): Promise<FeedView> {
    for (;;) {
      if (this.view && accepts(this.view)) return this.view;
      await new Promise<void>((resolve) => this.#wakes.push(resolve));
    }
  }
}
