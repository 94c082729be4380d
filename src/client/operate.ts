import type { Client, FormattedExecutionResult } from 'graphql-ws';
import { backoffMs, disposed, type ReconnectingClient } from './reconnecting.ts';
import { type GengraphProblem, isTransient, isUnknown, toProblem } from './problem.ts';

export interface Operation {
  readonly query: string;
  /** A getter among them is read whenever a connection sends the operation. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What an operation returned: its only root field, or a problem. */
export type Outcome<Value> =
  | { readonly value: Value; readonly problem?: never }
  | { readonly value?: never; readonly problem: GengraphProblem };

/** Runs a query or mutation. It never rejects. A lost connection repeats it under the same operation id. */
export function run<Value>(client: Pick<Client, 'subscribe'>, operation: Operation): Promise<Outcome<Value>> {
  return new Promise((resolve) => {
    client.subscribe<Record<string, Value>>(operation, {
      next: (result) => resolve(toOutcome(result)),
      error: (cause) => resolve({ problem: toProblem(cause) }),
      // It had no result before.
      complete: () => resolve({ problem: toProblem(disposed) }),
    });
  });
}

/** Runs an operation whose field is never null. An error of the schema is a problem, not a value. It never rejects. */
export async function runNonNull<Value extends object>(
  client: Pick<Client, 'subscribe'>,
  operation: Operation,
): Promise<Outcome<Value>> {
  const { problem, value } = await run<Value | GengraphProblem | null>(client, operation);
  if (value && !('code' in value)) return { value };
  // A router may send null.
  return { problem: problem ?? value ?? toProblem() };
}

export interface WatchOptions<Event> {
  readonly client: ReconnectingClient;
  readonly operation: Operation;
  /** Applies an event. `known`: it says nothing new. `gap`: an event is missing. `end`: it was the last one. */
  readonly apply: (event: Event) => 'new' | 'known' | 'gap' | 'end';
  readonly fail: (problem: GengraphProblem) => void;
}

/** Attempts in a row that bring nothing new, some six minutes. */
const maxAttempts = 100;
/** The same for an error of a router, some half a minute. */
const maxUnknown = 10;
const endedEarly = 'The subscription ended early.';

/**
 * Watches a subscription that begins with the whole state, until its last event. It subscribes again after a gap, after a
 * completion without a last event, after an error that passes, and after an error of a router. @returns a function that stops
 */
export function watch<Event>({ client, operation, apply, fail }: WatchOptions<Event>): () => void {
  let attempts = 0;
  /** Ends the subscription, or the wait before the next one. */
  let end = (): void => {};
  let isStopped = false;
  const subscribe = (): Promise<GengraphProblem | 'gap' | 'end'> =>
    new Promise((resolve) => {
      end = client.subscribe<Record<string, Event | null>>(operation, {
        next(result) {
          if (isStopped) return;
          const { problem, value } = toOutcome(result);
          // A router may send null instead of an event.
          const next = problem ?? (value === null ? 'gap' : apply(value));
          if (next === 'new') attempts = 0;
          else if (next !== 'known') resolve(next);
        },
        error: (cause) => resolve(toProblem(cause)),
        // A router may drop the last event for a slow client, and then complete.
        complete: () => resolve('gap'),
      });
    });
  void (async () => {
    while (!isStopped) {
      const ended = await subscribe();
      end();
      if (isStopped || ended === 'end') return;
      const problem = ended === 'gap' ? null : ended;
      const limit = !problem || isTransient(problem) ? maxAttempts : isUnknown(problem) ? maxUnknown : 0;
      if (attempts >= limit) return fail(problem ?? toProblem({ reason: endedEarly }));
      await new Promise<void>((resolve) => {
        const askedMs = (problem?.retryAfterSeconds ?? 0) * 1000;
        const ms = attempts > 0 || problem ? Math.max(askedMs, backoffMs(attempts)) : 0;
        end = startWait(client, ms, resolve);
      });
      attempts += 1;
    }
  })();
  return () => {
    isStopped = true;
    end();
  };
}

/**
 * Waits, at most until the client is disposed: nothing helps it then, and a loop that waits keeps its program running.
 * @returns a function that ends the wait
 */
export function startWait(client: ReconnectingClient, ms: number, onEnd: () => void): () => void {
  const end = (): void => {
    clearTimeout(timer);
    stop();
    onEnd();
  };
  const timer = setTimeout(end, ms);
  const stop = client.connection.subscribe(() => {
    if (client.isDisposed) end();
  });
  return end;
}

export function toOutcome<Value>({
  data,
  errors,
}: FormattedExecutionResult<Record<string, Value>, unknown>): Outcome<Value> {
  const [value] = Object.values(data ?? {});
  return errors || value === undefined ? { problem: toProblem(errors) } : { value };
}
