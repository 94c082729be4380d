import type { GengraphProblem } from './problem.ts';
import { nameOf, type RequestKeys } from './request-keys.ts';

export interface CreateOptions {
  /**
   * Names the request, such as the id of the user's message. The same id is the same generation, also after a reload and after
   * its end. Without an id, the same input is the same generation until it has ended.
   */
  readonly id?: string;
  /** A higher number makes another generation for the same request: "regenerate". @default 0 */
  readonly attempt?: number;
  /** Your label, for `running` and filters. */
  readonly collection?: string;
  /** Ends loops. The generation goes on. */
  readonly signal?: AbortSignal;
}

export interface Request {
  readonly key: string;
  readonly collection: string | undefined;
  /** What an earlier request with this name has made. */
  readonly generationId: string | undefined;
  /** The request was accepted. */
  accept(generationId: string): void;
  /** The request has ended, with this error if it failed. */
  settle(error: GengraphProblem | null): void;
}

export interface RequestDescription extends CreateOptions {
  readonly operation: string;
  readonly input: unknown;
}

export function toRequest(
  keys: RequestKeys,
  { operation, input, id, attempt = 0, collection }: RequestDescription,
): Request {
  const name = `${id === undefined ? nameOf(operation, input) : `${operation}:${id}`}:${attempt}`;
  const key = keys.keyOf(name);
  return {
    key,
    collection,
    get generationId() {
      return id === undefined ? undefined : keys.generationOf(name);
    },
    accept(generationId) {
      if (id !== undefined) keys.remember(name, generationId);
    },
    settle(error) {
      // Until the outcome is known, only the same key is safe.
      const isOpen = error?.retry === 'SAME_KEY' || error?.retry === 'SAFE' || error?.retry === 'LATER';
      if (id === undefined && !isOpen) keys.release(name, key);
    },
  };
}
