import type { UIMessageChunk } from 'ai';
import { watchPage } from './page-leaving.ts';

export interface StreamOptions {
  readonly open: (signal: AbortSignal) => AsyncGenerator<UIMessageChunk, void>;
  /** Of the request, which `stop` of `useChat` aborts. */
  readonly abortSignal: AbortSignal | undefined;
  /** Called for an abort by the user. A page that is left aborts requests too. */
  readonly stop: () => void;
}

/** Makes a stream of chunks. Each is made when it is read, so an error never overtakes text. */
export function toStream({ open, abortSignal, stop }: StreamOptions): ReadableStream<UIMessageChunk> {
  const leaving = new AbortController();
  const page = watchPage();
  const chunks = open(leaving.signal);
  const end = (): void => {
    page.end();
    abortSignal?.removeEventListener('abort', abort);
    leaving.abort();
  };
  const abort = (): void => {
    if (!page.isLeaving()) stop();
    end();
  };
  abortSignal?.addEventListener('abort', abort);
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      cancel() {
        leaving.abort();
        // Nobody reads on: the reply is not watched any more.
        chunks.return().catch(() => {});
        // The abort that belongs to it may come after it.
        setTimeout(end);
      },
    },
    { highWaterMark: 0 },
  );
}
