import { LRUCache } from 'lru-cache';
import { randomText } from '../access/tokens.ts';
import { toFileType, sizeOfRecipe, type Recipe } from './recipes.ts';
import { createRenderer, type ImageFacts } from './renderer.ts';

/** Pictures, animations and songs: published when they are ordered, made when they are first looked at. */
export interface MediaLibrary {
  /** The path under which the medium can be fetched, with a name that cannot be guessed. */
  publish(recipe: Recipe, options?: PublishOptions): string;
  /** The medium itself, for replies that carry it. */
  make(recipe: Recipe): Promise<Uint8Array<ArrayBuffer>>;
  find(file: string): Medium | undefined;
  /** What an image is; undefined for bytes that are no image. */
  inspect(bytes: Uint8Array): Promise<ImageFacts | undefined>;
  close(): Promise<void>;
}

export interface PublishOptions {
  /** @default Infinity */
  readonly lifetimeMs?: number;
}

export interface Medium {
  readonly recipe: Recipe;
  readonly contentType: string;
  /** How long it can still be fetched; 0 once its address has expired. */
  readonly msLeft: number;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

export const mediaPath = '/assets/media/';

const maxRecipes = 50_000;
const maxRecipeBytes = 512 * 1024 * 1024;
const maxRenderedBytes = 128 * 1024 * 1024;

export interface MediaLibraryOptions {
  /** Names the media. */
  readonly random: () => number;
  /** Milliseconds since the epoch: what addresses expire by. */
  readonly clock: () => number;
}

interface Published {
  readonly recipe: Recipe;
  readonly expiresAtMs: number;
}

export function createMediaLibrary({ random, clock }: MediaLibraryOptions): MediaLibrary {
  const renderer = createRenderer();
  const published = new LRUCache<string, Published>({
    max: maxRecipes,
    maxSize: maxRecipeBytes,
    sizeCalculation: ({ recipe }) => sizeOfRecipe(recipe),
  });
  const rendered = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: maxRenderedBytes,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const rendering = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  const render = async (file: string, recipe: Recipe): Promise<Uint8Array<ArrayBuffer>> => {
    try {
      const bytes = await renderer.render(recipe);
      rendered.set(file, bytes);
      return bytes;
    } finally {
      rendering.delete(file);
    }
  };
  const read = (file: string, recipe: Recipe): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = rendered.get(file);
    if (bytes) return Promise.resolve(bytes);
    const current = rendering.get(file) ?? render(file, recipe);
    rendering.set(file, current);
    return current;
  };

  return {
    publish(recipe, { lifetimeMs = Infinity } = {}) {
      const file = `${randomText(32, random)}.${toFileType(recipe).extension}`;
      published.set(file, { recipe, expiresAtMs: clock() + lifetimeMs });
      return mediaPath + file;
    },
    make: (recipe) => renderer.render(recipe),
    find(file) {
      const found = published.get(file);
      if (!found) return undefined;
      const { recipe, expiresAtMs } = found;
      return {
        recipe,
        contentType: toFileType(recipe).contentType,
        msLeft: Math.max(0, expiresAtMs - clock()),
        read: () => read(file, recipe),
      };
    },
    inspect: (bytes) => renderer.inspect(bytes),
    close: () => renderer.close(),
  };
}
