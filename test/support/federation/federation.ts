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

const placeholders = { gengraph: 'http://gengraph.invalid/', reviews: 'http://reviews.invalid/' };

/** The last composition: most servers of a run have the same schema. */
let composed: { readonly sdl: string; readonly supergraph: string } | undefined;

function compose(own: string, theirs: string): string {
  const sdl = `${own}\n${theirs}`;
  if (composed?.sdl !== sdl) {
    const subgraphs = [
      { name: 'gengraph', url: placeholders.gengraph, sdl: own },
      { name: 'reviews', url: placeholders.reviews, sdl: theirs },
    ];
    composed = { sdl, supergraph: composeSupergraph(subgraphs) };
  }
  return composed.supergraph;
}

/** Starts Gengraph with a sandbox and a second subgraph, and composes their supergraph. */
export async function startFederation(options: TestAppOptions = {}): Promise<Federation> {
  const app = await startApp(options);
  const reviewsSubgraph = await startReviewsSubgraph();
  const [own, theirs] = await Promise.all([readSdl(app.url), readSdl(reviewsSubgraph.url)]);
  const supergraph = compose(own, theirs)
    .replaceAll(placeholders.gengraph, app.url)
    .replaceAll(placeholders.reviews, reviewsSubgraph.url);
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
