import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Recipe } from './recipes.ts';

/** What can be told of an image by decoding it. */
export interface ImageFacts {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** Whether any part of it is transparent. */
  readonly isTransparent: boolean;
}

/** What the thread is asked to do. */
export type Job =
  | { readonly act: 'render'; readonly recipe: Recipe }
  | { readonly act: 'inspect'; readonly bytes: Uint8Array };

export interface JobRequest {
  readonly number: number;
  readonly job: Job;
}

export type JobReply = { readonly number: number } & (
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly facts: ImageFacts | undefined }
  | { readonly error: string }
);

/** Makes media in a thread of its own, so that whoever embeds the sandbox never waits for a picture. */
export interface Renderer {
  render(recipe: Recipe): Promise<Uint8Array<ArrayBuffer>>;
  inspect(bytes: Uint8Array): Promise<ImageFacts | undefined>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (reply: JobReply) => void;
  readonly reject: (error: Error) => void;
}

/** The thread is started by the first job. */
export function createRenderer(): Renderer {
  let worker: Worker | undefined;
  let count = 0;
  const waiting = new Map<number, Waiting>();

  const fail = (error: Error): void => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL(`./render-thread${extname(import.meta.url)}`, import.meta.url));
    started.unref();
    started.on('message', (reply: JobReply) => {
      waiting.get(reply.number)?.resolve(reply);
      waiting.delete(reply.number);
    });
    started.on('error', fail);
    started.on('exit', () => {
      if (worker === started) fail(new Error('The rendering thread has ended'));
    });
    return started;
  };
  const ask = (job: Job): Promise<JobReply> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      count += 1;
      waiting.set(count, { resolve, reject });
      const request: JobRequest = { number: count, job };
      worker.postMessage(request, []);
    });

  return {
    async render(recipe) {
      const reply = await ask({ act: 'render', recipe });
      if ('bytes' in reply) return reply.bytes;
      throw new Error('error' in reply ? reply.error : 'Nothing was rendered');
    },
    async inspect(bytes) {
      const reply = await ask({ act: 'inspect', bytes });
      if ('facts' in reply) return reply.facts;
      throw new Error('error' in reply ? reply.error : 'Nothing was found out');
    },
    async close() {
      const closing = worker;
      worker = undefined;
      fail(new Error('The sandbox was closed'));
      await closing?.terminate();
    },
  };
}
