import { startApp, type TestApp, type TestAppOptions } from '../app.ts';
import { composeSupergraph, readSdl } from './compose.ts';
import { type Neighbour, startNeighbour } from './neighbour.ts';

export interface Federation extends AsyncDisposable {
  readonly app: TestApp;
  readonly neighbour: Neighbour;
  /** Composed from the SDL of both. */
  readonly supergraph: string;
  /** The supergraph with another URL for Gengraph. */
  at(url: string): string;
}

/** Starts Gengraph with a sandbox and a second subgraph, and composes their supergraph. */
export async function startFederation(options: TestAppOptions = {}): Promise<Federation> {
  const app = await startApp(options);
  const neighbour = await startNeighbour();
  const [own, theirs] = await Promise.all([readSdl(app.url), readSdl(neighbour.url)]);
  const supergraph = composeSupergraph([
    { name: 'gengraph', url: app.url, sdl: own },
    { name: 'reviews', url: neighbour.url, sdl: theirs },
  ]);
  return {
    app,
    neighbour,
    supergraph,
    at: (url) => supergraph.replaceAll(app.url, url),
    async [Symbol.asyncDispose]() {
      await neighbour[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}
