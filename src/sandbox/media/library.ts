import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../lib/cache-limits.ts';
import { randomText } from '../access/tokens.ts';
import { nameFile, type Published, readFileName } from './file-names.ts';
import { type Recipe, sizeOfRecipe, toFileType } from './recipes.ts';
import { createRenderer, type Renderer } from './renderer.ts';

/** The media of a sandbox. A medium gets its address when it is requested, and is rendered when it is first fetched. */
export interface MediaLibrary extends Pick<Renderer, 'inspect' | 'close'> {
  /**
   * Returns the path of the medium. Its name has all that a medium is rendered from, so it is valid in every process. A medium with
   * parts of a caller's image, or of a very long text, lives in memory under a name that cannot be guessed.
   */
  publish(recipe: Recipe, options?: PublishOptions): string;
  /** The medium itself, for inline replies. */
  readonly make: Renderer['render'];
  find(file: string): Medium | undefined;
}

interface PublishOptions {
  /** @default Infinity */
  readonly lifetimeMs?: number;
}

interface Medium {
  readonly contentType: string;
  /** 0 when the address has expired. */
  readonly msLeft: number;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

export const mediaPath = '/assets/media/';

const maxRecipes = 50_000;
const maxRecipeBytes = 512 * 1024 * 1024;
const maxRenderedBytes = 128 * 1024 * 1024;

export interface MediaLibraryOptions {
  /** Names the media that live in memory. */
  readonly random: () => number;
  /** Milliseconds since the epoch. Addresses expire by it. */
  readonly clock: () => number;
}

export function createMediaLibrary({ random, clock }: MediaLibraryOptions): MediaLibrary {
  const renderer = createRenderer();
  const published = new LRUCache<string, Published>(
    limitEntries(maxRecipes, maxRecipeBytes, ({ recipe }) => sizeOfRecipe(recipe)),
  );
  // Concurrent reads of one file share its rendering.
  const rendered = new LRUCache<string, Uint8Array<ArrayBuffer>, Published>({
    maxSize: maxRenderedBytes,
    sizeCalculation: ({ length }) => Math.max(1, length),
    fetchMethod: (_file, _stale, { context }) => renderer.render(context.recipe),
    ignoreFetchAbort: true,
  });

  return {
    publish(recipe, { lifetimeMs = Infinity } = {}) {
      const medium = { recipe, expiresAtMs: clock() + lifetimeMs };
      const name = nameFile(medium);
      // Some recipes are beyond what a name may say, such as long texts that compress well.
      if (name !== undefined && readFileName(name)) return mediaPath + name;
      const file = `${randomText(32, random)}.${toFileType(recipe).extension}`;
      published.set(file, medium);
      return mediaPath + file;
    },
    make: renderer.render,
    find(file) {
      const found = published.get(file) ?? readFileName(file);
      if (!found) return undefined;
      const { recipe, expiresAtMs } = found;
      return {
        contentType: toFileType(recipe).contentType,
        msLeft: Math.max(0, expiresAtMs - clock()),
        read: () => rendered.forceFetch(file, { context: found }),
      };
    },
    inspect: renderer.inspect,
    close: renderer.close,
  };
}
