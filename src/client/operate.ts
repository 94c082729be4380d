import type { Client, FormattedExecutionResult } from 'graphql-ws';
import { backoffMs } from './reconnecting.ts';
import { type GengraphProblem, isTransient, toProblem } from './problem.ts';

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
export function run<Value>(client: Client, operation: Operation): Promise<Outcome<Value>> {
  return new Promise((resolve) => {
    client.subscribe<Record<string, Value>>(operation, {
      next: (result) => resolve(toOutcome(result)),
      error: (cause) => resolve({ problem: toProblem(cause) }),
      // Without a result before: the client was disposed.
      complete: () => resolve({ problem: toProblem(undefined) }),
    });
  });
}

export interface WatchOptions<Event> {
  readonly client: Client;
  readonly operation: Operation;
  /** Applies an event. `known`: it says nothing new. `gap`: an event is missing. `end`: it was the last one. */
  readonly apply: (event: Event) => 'new' | 'known' | 'gap' | 'end';
  readonly fail: (problem: GengraphProblem) => void;
}

/** Attempts in a row that bring nothing new, some six minutes. */
const maxAttempts = 100;

/**
 * Watches a subscription that begins with the whole state, until its last event. It subscribes again after a gap, after a
 * completion without a last event, and after an error that passes. @returns a function that stops
 */
export function watch<Event>({ client, operation, apply, fail }: WatchOptions<Event>): () => void {
  let attempts = 0;
  let isDone = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = (): void => {};
  const stop = (): void => {
    isDone = true;
    clearTimeout(timer);
    unsubscribe();
  };
  const failFor = (problem: GengraphProblem): void => {
    if (isDone) return;
    stop();
    fail(problem);
  };
  const subscribe = (): void => {
    let isCurrent = true;
    /** Once per subscription. */
    const again = (problem: GengraphProblem): void => {
      if (isDone || !isCurrent) return;
      isCurrent = false;
      unsubscribe();
      attempts += 1;
      if (attempts > maxAttempts) return failFor(problem);
      const waitMs = Math.max(
        (problem.retryAfterSeconds ?? 0) * 1000,
        backoffMs(attempts - 1, Math.random()),
      );
      timer = setTimeout(subscribe, attempts === 1 && problem === gap ? 0 : waitMs);
    };
    const receive = (outcome: Outcome<Event | null>): void => {
      if (isDone || !isCurrent) return;
      if (outcome.problem)
        return isTransient(outcome.problem) ? again(outcome.problem) : failFor(outcome.problem);
      // A router may send null instead of an event.
      const next = outcome.value === null ? 'gap' : apply(outcome.value);
      if (next === 'gap') again(gap);
      else if (next === 'end') stop();
      else if (next === 'new') attempts = 0;
    };
    const end = client.subscribe<Record<string, Event>>(operation, {
      next: (result) => receive(toOutcome(result)),
      error: (cause) => receive({ problem: toProblem(cause) }),
      complete: () => again(gap),
    });
    unsubscribe = end;
    if (isDone || !isCurrent) end();
  };
  subscribe();
  return stop;
}

const gap: GengraphProblem = {
  code: 'CONNECTION_FAILED',
  message: 'The server ended the subscription too early.',
  retry: 'SAFE',
  retryAfterSeconds: null,
};

function toOutcome<Value>({
  data,
  errors,
}: FormattedExecutionResult<Record<string, Value>, unknown>): Outcome<Value> {
  const [value] = Object.values(data ?? {});
  return errors || value === undefined ? { problem: toProblem(errors) } : { value };
}
