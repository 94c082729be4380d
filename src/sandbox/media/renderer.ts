import { extname } from 'node:path';
import { createThread } from '../../lib/thread.ts';
import type { Recipe } from './recipes.ts';

/** The properties of a decoded image. */
export interface ImageFacts {
  readonly format: string;
  /** As displayed: Exif may rotate it. */
  readonly width: number;
  readonly height: number;
  /** Whether any part of it is transparent. */
  readonly isTransparent: boolean;
}

/** Makes media in a thread of its own, so that it does not block the process that embeds the sandbox. */
export interface Renderer {
  render(recipe: Recipe): Promise<Uint8Array<ArrayBuffer>>;
  inspect(bytes: Uint8Array): Promise<ImageFacts | undefined>;
  close(): Promise<void>;
}

export type Job = { readonly render: Recipe } | { readonly inspect: Uint8Array };

export type JobReply =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly facts: ImageFacts | undefined };

/** The first job starts the thread. */
export function createRenderer(): Renderer {
  const thread = createThread<Job, JobReply>({
    program: new URL(`./render-thread${extname(import.meta.url)}`, import.meta.url),
  });
  return {
    async render(recipe) {
      const reply = await thread.call({ render: recipe });
      if ('bytes' in reply) return reply.bytes;
      throw new Error('The rendering thread sent no bytes');
    },
    async inspect(bytes) {
      const reply = await thread.call({ inspect: bytes });
      return 'facts' in reply ? reply.facts : undefined;
    },
    close: thread.close,
  };
}
