import { extname } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { Recipe } from './recipes.ts';

/** The properties of a decoded image. */
export interface ImageFacts {
  readonly format: string;
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

/** A message to the thread. The reply goes to the port. */
export interface JobRequest {
  readonly job: Job;
  readonly port: MessagePort;
}

export type JobReply =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly facts: ImageFacts | undefined }
  | { readonly error: string };

/** The first job starts the thread. */
export function createRenderer(): Renderer {
  let worker: Worker | undefined;
  const start = (): Worker => {
    const started = new Worker(new URL(`./render-thread${extname(import.meta.url)}`, import.meta.url));
    started.unref();
    return started.on('error', () => forget(started)).on('exit', () => forget(started));
  };
  const forget = (ended: Worker): void => {
    if (worker === ended) worker = undefined;
  };
  const run = (job: Job): Promise<JobReply> =>
    new Promise((resolve, reject) => {
      const thread = (worker ??= start());
      const { port1, port2 } = new MessageChannel();
      // The end of the thread closes the port.
      const fail = (): void => {
        forget(thread);
        reject(new Error('The rendering thread has ended'));
      };
      port1.once('close', fail).once('message', (reply: JobReply) => {
        port1.off('close', fail).close();
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply);
      });
      thread.postMessage({ job, port: port2 } satisfies JobRequest, [port2]);
    });

  return {
    async render(recipe) {
      const reply = await run({ render: recipe });
      if ('bytes' in reply) return reply.bytes;
      throw new Error('The rendering thread sent no bytes');
    },
    async inspect(bytes) {
      const reply = await run({ inspect: bytes });
      return 'facts' in reply ? reply.facts : undefined;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
