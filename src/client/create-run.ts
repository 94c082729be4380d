import type { Client } from 'graphql-ws';
import { cancel } from './cancel.ts';
import { type Operation, type Outcome, run } from './operate.ts';
import { type GengraphProblem, toProblem } from './problem.ts';
import type { Request } from './request.ts';
import { createViews, type ViewSink } from './views.ts';

/** A create and what it makes. Each loop over it gets the complete view after each change, until the end. */
export interface CreateRun<View> extends AsyncIterable<View> {
  /** Idempotency key of the request. */
  readonly key: string;
  /** Cancels the generation at the gateway. To leave a loop only stops watching. @returns what was kept */
  stop(): Promise<View>;
}

export interface CreateRunOptions<View, Created extends { readonly id: string }> {
  readonly client: Client;
  readonly request: Request;
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
  readonly fail: (problem: GengraphProblem) => View;
  /** Watches what the create made, or has made earlier. @returns a function that stops watching */
  readonly follow: (created: Created | Known, sink: ViewSink<View>) => () => void;
}

interface Known {
  readonly id: string;
}

/** Nothing is sent before the first loop begins. */
export function createRun<View, Created extends { readonly id: string }>({
  client,
  request,
  operation,
  signal,
  fail,
  follow,
}: CreateRunOptions<View, Created>): CreateRun<View> {
  let starting: Promise<Outcome<Created | Known>> | undefined;
  const start = async (): Promise<Outcome<Created | Known>> => {
    const known = request.generationId;
    if (known !== undefined) return { value: { id: known } };
    const { problem, value } = await run<Created | GengraphProblem>(client, operation);
    if (value && !('code' in value)) {
      request.accept(value.id);
      return { value };
    }
    const error = problem ?? value;
    request.settle(error);
    // The next loop sends the request again.
    starting = undefined;
    return { problem: error };
  };
  const views = (until?: AbortSignal): AsyncIterableIterator<View, undefined> =>
    createViews<View>((sink) => {
      let isLeft = false;
      let stopFollowing = (): void => {};
      starting ??= start();
      void starting.then(({ problem, value }) => {
        if (isLeft) return;
        if (value) stopFollowing = follow(value, sink);
        else sink.end(fail(problem ?? toProblem(undefined)));
      });
      return () => {
        isLeft = true;
        stopFollowing();
      };
    }, until);
  return {
    key: request.key,
    [Symbol.asyncIterator]: () => views(signal),
    async stop() {
      const known = request.generationId;
      const { problem } = await cancel(
        client,
        known === undefined ? { idempotencyKey: request.key } : { id: known },
      );
      // A start that is under way may not be known yet.
      const id = problem && (await starting)?.value?.id;
      if (id !== undefined) await cancel(client, { id });
      else if (problem) return fail(problem);
      let last = fail(toProblem(undefined));
      for await (const view of views()) last = view;
      return last;
    },
  };
}
