import { LRUCache } from 'lru-cache';
import { randomText } from '../access/tokens.ts';
import { toFileType, sizeOfRecipe, type Recipe } from './recipes.ts';
import { createRenderer, type ImageFacts } from './renderer.ts';

/** Pictures, animations and songs: published when they are ordered, made when they are first looked at. */
export interface MediaLibrary {
  /** The path under which the medium can be fetched, with a name that cannot be guessed. */
  publish(recipe: Recipe): string;
  find(file: string): Medium | undefined;
  /** What an image is; undefined for bytes that are no image. */
  inspect(bytes: Uint8Array): Promise<ImageFacts | undefined>;
  close(): Promise<void>;
}

export interface Medium {
  readonly recipe: Recipe;
  readonly contentType: string;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

export const mediaPath = '/assets/media/';

const maxRecipes = 50_000;
const maxRecipeBytes = 512 * 1024 * 1024;
const maxRenderedBytes = 128 * 1024 * 1024;

/** @param random names the media */
export function createMediaLibrary(random: () => number): MediaLibrary {
  const renderer = createRenderer();
  const recipes = new LRUCache<string, Recipe>({
    max: maxRecipes,
    maxSize: maxRecipeBytes,
    sizeCalculation: sizeOfRecipe,
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
    publish(recipe) {
      const file = `${randomText(32, random)}.${toFileType(recipe).extension}`;
      recipes.set(file, recipe);
      return mediaPath + file;
    },
    find(file) {
      const recipe = recipes.get(file);
      if (!recipe) return undefined;
      return { recipe, contentType: toFileType(recipe).contentType, read: () => read(file, recipe) };
    },
    inspect: (bytes) => renderer.inspect(bytes),
    close: () => renderer.close(),
  };
}
