import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';

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

export function createThread<Request, Reply>({ program, data }: ThreadOptions): Thread<Request, Reply> {
  let worker: Worker | undefined;
  const start = (): Worker => {
    const started = new Worker(program, { workerData: data });
    started.unref();
    return started.on('error', () => forget(started)).on('exit', () => forget(started));
  };
  const forget = (ended: Worker): void => {
    if (worker === ended) worker = undefined;
  };
  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        const thread = (worker ??= start());
        const { port1, port2 } = new MessageChannel();
        // The end of the thread closes the port.
        const fail = (): void => {
          forget(thread);
          reject(new Error('The thread has ended'));
        };
        port1.once('close', fail).once('message', (outcome: Outcome<Reply>) => {
          port1.off('close', fail).close();
          if ('error' in outcome) reject(new Error(outcome.error));
          else resolve(outcome.reply);
        });
        thread.postMessage({ request, port: port2 } satisfies Message<Request>, [port2]);
      }),
    async close() {
      await worker?.terminate();
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
      const text = error instanceof Error ? error.message : String(error);
      port.postMessage({ error: text } satisfies Outcome<Reply>);
    }
  };
  parent?.on('message', (message: Message<never>) => void run(message));
}
