import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { messageOf } from './thrown.ts';

/** A worker thread that replies to requests. The first request starts it. It does not keep the process alive. */
export interface Thread<Request, Reply> {
  /** @throws Error if the request failed, or if the thread has ended */
  call(request: Request): Promise<Reply>;
  /** Ends the thread. Resolves when nothing runs in it. */
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** Module that calls `serveThread`. */
  readonly program: URL;
  /** For `workerData`. */
  readonly data?: unknown;
}

/** A message to the thread. The reply goes to the port. */
interface Message<Request> {
  readonly request: Request;
  readonly port: MessagePort;
}

type Outcome<Reply> = { readonly reply: Reply } | { readonly error: string };

interface Running {
  readonly worker: Worker;
  /** Of the requests without a reply. */
  readonly rejects: Set<(error: Error) => void>;
}

export function createThread<Request, Reply>({ program, data }: ThreadOptions): Thread<Request, Reply> {
  let running: Running | undefined;
  const start = (): Running => {
    const started: Running = {
      worker: new Worker(program, { workerData: data }),
      rejects: new Set(),
    };
    const end = (error: Error): void => {
      if (running === started) running = undefined;
      for (const reject of started.rejects) reject(error);
    };
    started.worker
      .on('error', (error: Error) => end(error))
      .on('exit', () => end(new Error('The thread has ended')))
      .unref();
    return started;
  };
  return {
    async call(request) {
      const { worker, rejects } = (running ??= start());
      const { port1, port2 } = new MessageChannel();
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<Reply>>();
      rejects.add(reject);
      port1.once('message', resolve);
      worker.postMessage({ request, port: port2 } satisfies Message<Request>, [port2]);
      try {
        const outcome = await promise;
        if ('error' in outcome) throw new Error(outcome.error);
        return outcome.reply;
      } finally {
        rejects.delete(reject);
        port1.close();
      }
    },
    async close() {
      await running?.worker.terminate();
    },
  };
}

/** In the thread: replies to requests as they arrive, several at a time. `transfersOf` returns what is moved with the reply. */
export function serveThread<Reply>(
  parent: MessagePort | null,
  answer: (request: never) => Reply | Promise<Reply>,
  transfersOf: (reply: Reply) => readonly ArrayBuffer[] = () => [],
): void {
  const run = async ({ request, port }: Message<never>): Promise<void> => {
    try {
      const reply = await answer(request);
      port.postMessage({ reply } satisfies Outcome<Reply>, transfersOf(reply));
    } catch (error) {
      port.postMessage({ error: messageOf(error) } satisfies Outcome<Reply>);
    }
  };
  parent?.on('message', (message: Message<never>) => void run(message));
}
