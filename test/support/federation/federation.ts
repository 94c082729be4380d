import { startApp, type TestApp, type TestAppOptions } from '../app.ts';
import { composeSupergraph, readSdl } from './compose.ts';
import { type ReviewsSubgraph, startReviewsSubgraph } from './reviews-subgraph.ts';

export interface Federation extends AsyncDisposable {
  readonly app: TestApp;
  readonly reviewsSubgraph: ReviewsSubgraph;
  /** Composed from the SDL of both. */
  readonly supergraph: string;
  /** The supergraph with another URL for Gengraph. */
  at(url: string): string;
}

/** Starts Gengraph with a sandbox and a second subgraph, and composes their supergraph. */
export async function startFederation(options: TestAppOptions = {}): Promise<Federation> {
  const app = await startApp(options);
  const reviewsSubgraph = await startReviewsSubgraph();
  const [own, theirs] = await Promise.all([readSdl(app.url), readSdl(reviewsSubgraph.url)]);
  const supergraph = composeSupergraph([
    { name: 'gengraph', url: app.url, sdl: own },
    { name: 'reviews', url: reviewsSubgraph.url, sdl: theirs },
  ]);
  return {
    app,
    reviewsSubgraph,
    supergraph,
    at: (url) => supergraph.replaceAll(app.url, url),
    async [Symbol.asyncDispose]() {
      await reviewsSubgraph[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}
