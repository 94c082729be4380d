import type { ReconnectingClient } from './reconnecting.ts';
import { cancel } from './cancel.ts';
import { runNonNull, type Outcome } from './operate.ts';
import { type GengraphProblem, isTransient, toProblem } from './problem.ts';
import type { KeyStorage } from './request-keys.ts';
import { type RequestDescription, toRequest } from './request.ts';
import { createViews, type ViewSink } from './views.ts';

/** A create and what it makes. Each loop over it gets the complete view after each change, until the end. */
export interface CreateRun<View> extends AsyncIterable<View> {
  /** Idempotency key of the request. */
  readonly key: string;
  /**
   * Cancels the generation at the gateway. To leave a loop only stops watching. @returns what was kept. If it goes on, such as one
   * that is not cancelable: the last view of a loop, with why as `error`
   */
  stop(): Promise<View>;
}

export interface ClientParts {
  readonly client: ReconnectingClient;
  /** Of the keys of requests. */
  readonly storage: KeyStorage;
}

/** What a create made, or has made earlier. */
interface Known {
  readonly id: string;
}

/** How a create is sent and followed. */
export interface Creation<View, Created extends Known> {
  /** Of its operation, which has the variables `input`, `idempotencyKey` and `collection`. */
  readonly text: string;
  /** Watches what the create made. @returns a function that stops watching */
  readonly follow: (created: Created | Known, sink: ViewSink<View>) => () => void;
}

export interface CreateRunOptions<View, Created extends Known> {
  readonly parts: ClientParts;
  readonly description: RequestDescription;
  /** Before anything is known. */
  readonly empty: View;
  readonly fail: (view: View, problem: GengraphProblem) => View;
  /** Called before the request is sent, and again before it is followed. */
  readonly load: () => Creation<View, Created> | Promise<Creation<View, Created>>;
}

interface Failable {
  readonly error: GengraphProblem | null;
}

/** Nothing is sent before the first loop begins. */
export function createRun<View extends Failable, Created extends Known>({
  parts: { client, storage },
  description,
  empty,
  fail,
  load,
}: CreateRunOptions<View, Created>): CreateRun<View> {
  const request = toRequest(storage, description);
  let starting: Promise<Outcome<Created | Known>> | undefined;
  /** Why it has failed. The next loop sends the request again, with its key. A stop does not. */
  let failure: GengraphProblem | null = null;
  /** As a loop has it. */
  let last = empty;
  const send = async (): Promise<Outcome<Created | Known>> => {
    const { text: query } = await load();
    // A generation that the gateway has refused late is no result: its key is free.
    const id = failure && isTransient(failure) ? null : request.generationId;
    failure = null;
    return id === null
      ? runNonNull<Created>(client, { query, variables: request.variables })
      : { value: { id } };
  };
  const views = (until?: AbortSignal): AsyncIterableIterator<View, undefined> =>
    createViews<View>(async (sink) => {
      const end = (view: View): void => {
        request.settle((failure = view.error));
        sink.end((last = view));
      };
      starting ??= send().catch((cause: unknown) => ({ problem: toProblem(cause) }));
      const { problem, value } = await starting;
      if (problem) {
        end(fail(empty, problem));
        return () => {};
      }
      request.accept(value.id);
      const { follow } = await load();
      return follow(value, { push: (view) => sink.push((last = view)), end });
    }, until);
  return {
    key: request.key,
    [Symbol.asyncIterator]() {
      if (failure) starting = undefined;
      return views(description.signal);
    },
    async stop() {
      const known = request.generationId;
      let { problem } = await cancel(client, known ? { id: known } : { idempotencyKey: request.key });
      // A start that is under way may not be known yet.
      const id = problem && (await starting)?.value?.id;
      if (id) ({ problem } = await cancel(client, { id }));
      if (problem) return { ...last, error: problem };
      for await (const view of views()) last = view;
      return last;
    },
  };
}
