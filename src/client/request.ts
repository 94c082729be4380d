import type { Operation } from './operate.ts';
import type { GengraphProblem } from './problem.ts';
import { createKey, type KeyStorage, nameOf } from './request-keys.ts';

export interface CreateOptions {
  /**
   * Names the request, such as the id of the user's message. The same id is the same generation, also after a reload and after
   * its end. Without an id, the same input is the same generation until this client has seen its end.
   */
  readonly id?: string | undefined;
  /** A higher number makes another generation for the same request: "regenerate". @default 0 */
  readonly attempt?: number | undefined;
  /** Your label, for `running` and filters. */
  readonly collection?: string | undefined;
  /** Ends loops. The generation goes on. */
  readonly signal?: AbortSignal | undefined;
}

export interface Request {
  readonly key: string;
  /** Of its operation. */
  readonly variables: Operation['variables'];
  /** What an earlier request with this name has made. */
  readonly generationId: string | null;
  /** The request was accepted. */
  accept(generationId: string): void;
  /** The request has ended, with this error if it failed. */
  settle(error: GengraphProblem | null): void;
}

export interface RequestDescription<Name extends string = string> extends CreateOptions {
  readonly operation: Name;
  readonly input: unknown;
}

/** Each request has one idempotency key, made before it is sent: the same name has the same key until that is released. */
export function toRequest(
  storage: KeyStorage,
  { operation, input, id, attempt = 0, collection }: RequestDescription,
): Request {
  const name = `${id === undefined ? nameOf(operation, input) : `${operation}:${id}`}:${attempt}`;
  const generationName = `of:${name}`;
  const key = storage.getItem(name) ?? createKey();
  storage.setItem(name, key);
  return {
    key,
    variables: { input, idempotencyKey: key, collection },
    // The server forgets keys after a time, which must not make another generation.
    get generationId() {
      return storage.getItem(generationName);
    },
    accept(generationId) {
      if (id !== undefined) storage.setItem(generationName, generationId);
    },
    settle(error) {
      // Until the outcome is known, only the same key is safe: what was sent before any refusal may run, because a server reads
      // the key last. After MAY_CHARGE_AGAIN, NEVER and NEW_KEY, the next request is another one.
      const isOpen = error && !/MAY|NE/.test(error.retry);
      // The next request with this name may have another key already.
      if (id === undefined && !isOpen && storage.getItem(name) === key) storage.removeItem(name);
    },
  };
}
